package dev.dibs.examples.invoices;

import java.util.Optional;
import java.util.stream.Stream;

/** Why a line is taxed as it is, with the code that invoices in UBL and EN 16931 use for it. */
public enum TaxKind {
    STANDARD("S"),
    ZERO_RATED("Z"),
    REVERSE_CHARGE("AE"),
    EXPORT("G");

    private final String code;

    TaxKind(String code) {
        this.code = code;
    }

    static Optional<TaxKind> ofCode(String code) {
        return Stream.of(values()).filter(kind -> kind.code.equals(code)).findFirst();
    }

    /** Whether an invoice has to say why it shows no tax. */
    public boolean needsReason() {
        return this == REVERSE_CHARGE || this == EXPORT;
    }
}
