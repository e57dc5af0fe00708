package dev.dibs.examples.invoices;

import java.math.BigDecimal;
import java.util.Currency;

/** One position of an invoice; its unit price may have more decimals than the currency. */
public record Line(String description, Quantity quantity, BigDecimal unitPrice, Tax tax) {

    /** Quantity times unit price, rounded. */
    public Money net(Currency currency) {
        return new Money(quantity.amount().multiply(unitPrice), currency);
    }
}
