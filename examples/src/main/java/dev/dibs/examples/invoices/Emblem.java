package dev.dibs.examples.invoices;

import java.util.List;

/** The mark and the colour by which a seller's invoices are known, drawn from the seller's name. */
public record Emblem(String colour, int petals) {

    private static final List<String> COLOURS =
            List.of("#1f4e79", "#7a2e3a", "#2a5d4c", "#5b3f8c", "#85480f", "#0f5c6e", "#44446b", "#6d2a5b");

    /** The emblem of a seller, always the same. */
    public static Emblem of(Party seller) {
        int hash = seller.name().hashCode();
        return new Emblem(COLOURS.get(Math.floorMod(hash, COLOURS.size())), 5 + Math.floorMod(hash / 31, 4));
    }

    /** By how many degrees a petal is turned. */
    public int turn(int petal) {
        return 360 * petal / petals;
    }
}
