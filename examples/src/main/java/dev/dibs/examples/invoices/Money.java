package dev.dibs.examples.invoices;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;

/** An amount of a currency, rounded half up to as many decimals as the currency has. */
public record Money(BigDecimal amount, Currency currency) {

    public Money {
        amount = amount.setScale(currency.getDefaultFractionDigits(), RoundingMode.HALF_UP);
    }

    /** Nothing of a currency: where a sum starts. */
    public static Money zero(Currency currency) {
        return new Money(BigDecimal.ZERO, currency);
    }

    /** The sum of two amounts of the same currency. */
    public Money plus(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException(
                    "%s and %s cannot be added; convert one of them first".formatted(currency, other.currency));
        }
        return new Money(amount.add(other.amount), currency);
    }
}
