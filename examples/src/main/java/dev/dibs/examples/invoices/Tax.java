package dev.dibs.examples.invoices;

import java.math.BigDecimal;

/** The tax of a line: its kind and its rate in percent. */
public record Tax(TaxKind kind, BigDecimal rate) {

    public Tax {
        rate = rate.stripTrailingZeros();
    }
}
