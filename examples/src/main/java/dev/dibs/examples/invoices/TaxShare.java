package dev.dibs.examples.invoices;

/** What all lines of one tax come to: their net amount and the tax on it. */
public record TaxShare(Tax tax, Money net, Money amount) {}
