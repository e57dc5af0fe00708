package dev.dibs.examples.invoices;

/**
 * A seller or a customer.
 *
 * @param country the ISO 3166 code
 * @param taxId empty for a private person
 */
public record Party(String name, String street, String city, String country, String taxId) {}
