package dev.dibs;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.RowColumns;
import java.util.List;
import org.jooq.Record;

/**
 * Finds messages that may have killed their process: rows whose last lease ran out.
 *
 * <p>At first they are handled without others waiting behind them, and from their third delivery on alone, so that one that
 * kills its process again and again does not take its neighbours to the dead letters.
 */
record Suspects(RowColumns<?> columns) {

    /** By then every neighbour of the first crash that is innocent has seen two, at most. */
    private static final int ALONE_FROM = 3;

    /** Whether a claim brought none. */
    boolean areNotIn(Claimed claimed) {
        return claimed.rows().stream().noneMatch(columns::ranOut);
    }

    /** How many rows of a claim with suspects are to be handled now, given how many could be; the rest is given back. */
    int handledNow(Claimed claimed, int free) {
        var one = claimed.rows().stream().anyMatch(this::isToBeAlone);
        return one ? 1 : Math.min(claimed.rows().size(), Math.max(1, free));
    }

    /** The rows with one that is to be handled alone before the others, if there is one. */
    List<Record> sorted(Claimed claimed) {
        return claimed.rows().stream()
                .sorted((one, other) -> Boolean.compare(isToBeAlone(other), isToBeAlone(one)))
                .toList();
    }

    /** Whether no other message may be in work beside it. */
    boolean isToBeAlone(Record row) {
        return columns.attempt(row) >= ALONE_FROM && columns.ranOut(row);
    }
}
