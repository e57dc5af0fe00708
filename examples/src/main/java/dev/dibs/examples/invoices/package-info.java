/**
 * The invoices of the example, free of any queue: {@link dev.dibs.examples.invoices.InvoiceFile} reads an export into
 * one payload per invoice, {@link dev.dibs.examples.invoices.Invoice#parse} understands a payload, and
 * {@link dev.dibs.examples.invoices.InvoicePage#write} writes the page that a customer receives.
 */
@NullMarked
package dev.dibs.examples.invoices;

import org.jspecify.annotations.NullMarked;
