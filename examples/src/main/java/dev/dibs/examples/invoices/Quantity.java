package dev.dibs.examples.invoices;

import java.math.BigDecimal;

/** How much of an item was sold, counted in a unit of the seller's own wording. */
public record Quantity(BigDecimal amount, String unit) {}
