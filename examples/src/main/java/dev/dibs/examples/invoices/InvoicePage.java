package dev.dibs.examples.invoices;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/** The page that a customer receives: one HTML file which needs nothing besides itself and prints on A4. */
public final class InvoicePage {

    private static final TemplateEngine TEMPLATES =
            TemplateEngine.createPrecompiled(null, ContentType.Html, InvoicePage.class.getClassLoader());

    private static final Pattern FILE_NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}._-]{0,79}");

    private InvoicePage() {}

    /** The page of an invoice as text. */
    public static String html(Invoice invoice) {
        var page = new StringOutput();
        var parameters = Map.<String, Object>of(
                "invoice", invoice,
                "text", InvoiceText.of(invoice.terms().language()),
                "emblem", Emblem.of(invoice.seller()));
        TEMPLATES.render("invoice.jte", parameters, page);
        return page.toString();
    }

    /**
     * Writes the page into a folder, which is made where it is missing, and returns the file's path.
     *
     * <p>The file appears whole or not at all, and writing it again replaces it, so that an invoice which is handled
     * twice leaves one page.
     */
    public static Path write(Invoice invoice, Path folder) {
        Path page = folder.resolve(fileName(invoice.number()));
        Path draft = folder.resolve(".%s.%s".formatted(page.getFileName(), UUID.randomUUID()));
        String html = html(invoice);
        try {
            Files.createDirectories(folder);
            try {
                Files.writeString(draft, html);
                return Files.move(draft, page, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "invoice \"%s\": %s cannot be written; check that the folder may be written to and has space"
                            .formatted(invoice.number(), page),
                    e);
        }
    }

    private static String fileName(String number) {
        if (!FILE_NAME.matcher(number).matches()) {
            throw new IllegalArgumentException(
                    "invoice \"%s\": its number cannot be the name of a file; begin with a letter or digit and use letters, digits, \".\", \"-\" and \"_\", at most 80"
                            .formatted(number));
        }
        return number + ".html";
    }
}
