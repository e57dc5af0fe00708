package dev.dibs.examples.invoices;

import java.time.LocalDate;
import java.util.Currency;
import java.util.Locale;

/**
 * When, where to and in which currency an invoice is paid.
 *
 * @param account the seller's account, as a bank writes it
 * @param language the language of the page, with the region whose numbers and dates it has
 */
public record Terms(LocalDate issued, LocalDate due, Currency currency, String account, Locale language) {}
