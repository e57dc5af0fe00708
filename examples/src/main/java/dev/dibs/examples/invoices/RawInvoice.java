package dev.dibs.examples.invoices;

/** An invoice as the file has it: its number and the text that is enqueued, its amounts not yet looked at. */
public record RawInvoice(String number, String payload) {}
