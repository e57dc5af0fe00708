package dev.dibs.examples.invoices;

import static dev.dibs.examples.invoices.InvoicePayload.INVOICE_COLUMNS;
import static dev.dibs.examples.invoices.InvoicePayload.LINE_COLUMNS;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * An export of invoices: CSV in UTF-8 with a line per invoice line, the lines of an invoice one after the other.
 *
 * <p>Only the shape is checked here. Amounts and dates are read when an invoice is rendered, so that one which is
 * wrong does not keep the others from being enqueued.
 */
public final class InvoiceFile {

    private static final List<String> COLUMNS =
            Stream.of(INVOICE_COLUMNS, LINE_COLUMNS).flatMap(List::stream).toList();

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Path file;
    private final LinkedHashMap<String, List<CsvRecord>> rowsByNumber = new LinkedHashMap<>();
    private String number = "";
    private long line;

    private InvoiceFile(Path file) {
        this.file = file;
    }

    /**
     * The invoices of a file, in its order.
     *
     * @throws IllegalArgumentException naming the file, the line, what was seen there and what to do about it
     */
    public static List<RawInvoice> read(Path file) {
        return new InvoiceFile(file).invoices();
    }

    private List<RawInvoice> invoices() {
        readLines();
        if (line == 0) {
            throw new IllegalArgumentException(
                    "%s: the file is empty; its first line must be %s".formatted(file, String.join(",", COLUMNS)));
        }
        return rowsByNumber.entrySet().stream()
                .map(entry -> new RawInvoice(entry.getKey(), payload(entry.getValue())))
                .toList();
    }

    private void readLines() {
        var csv = CsvReader.builder()
                .allowMissingFields(true)
                .allowExtraFields(true)
                .skipEmptyLines(false);
        try (var reader = csv.ofCsvRecord(text())) {
            reader.forEach(this::add);
        } catch (CsvParseException e) {
            line++;
            throw broken("this is no CSV (%s); close each quote, and write a quote inside a quoted text twice"
                    .formatted(
                            e.getCause() == null ? e.getMessage() : e.getCause().getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String text() {
        try {
            String text = Files.readString(file);
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(
                    "%s: there is no such file; give the path of a CSV file".formatted(file), e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "%s: the text is not UTF-8; export it as CSV in UTF-8".formatted(file), e);
        } catch (IOException e) {
            throw new UncheckedIOException("%s: the file cannot be read; check its permissions".formatted(file), e);
        }
    }

    private void add(CsvRecord row) {
        line = row.getStartingLineNumber();
        if (line == 1) {
            checkHeader(row);
        } else if (!isBlank(row)) {
            checkShape(row);
            addTo(rowsByNumber.computeIfAbsent(row.getField(0), key -> new ArrayList<>()), row);
            number = row.getField(0);
        }
    }

    private void addTo(List<CsvRecord> rows, CsvRecord row) {
        if (!rows.isEmpty()) {
            checkBelongs(rows.get(rows.size() - 1), row);
        }
        rows.add(row);
    }

    private static boolean isBlank(CsvRecord row) {
        return row.getFieldCount() == 1 && row.getField(0).isBlank();
    }

    private void checkHeader(CsvRecord header) {
        for (int i = 0; i < Math.max(COLUMNS.size(), header.getFieldCount()); i++) {
            String expected = i < COLUMNS.size() ? "\"%s\"".formatted(COLUMNS.get(i)) : "nothing more";
            String seen =
                    i < header.getFieldCount() ? "\"%s\"".formatted(firstLine(header.getField(i))) : "nothing more";
            if (!seen.equals(expected)) {
                throw broken("column %d of the header is %s where %s belongs; the header must be %s"
                        .formatted(i + 1, seen, expected, String.join(",", COLUMNS)));
            }
        }
    }

    private static String firstLine(String field) {
        return field.lines().findFirst().orElse("");
    }

    private void checkShape(CsvRecord row) {
        for (int i = 0; i < Math.min(COLUMNS.size(), row.getFieldCount()); i++) {
            if (row.getField(i).lines().count() > 1) {
                throw broken(("%s holds a line break, as it does when a quote is never closed; "
                                + "close the quote, and write a space for each line break")
                        .formatted(COLUMNS.get(i)));
            }
        }
        if (row.getFieldCount() != COLUMNS.size()) {
            throw broken("%d columns where the header has %d; quote a text that holds a comma, and leave no column out"
                    .formatted(row.getFieldCount(), COLUMNS.size()));
        }
        if (row.getField(0).isBlank()) {
            throw broken("invoice_number is empty; every line names its invoice");
        }
    }

    private void checkBelongs(CsvRecord before, CsvRecord row) {
        if (!row.getField(0).equals(number)) {
            throw broken("invoice \"%s\" goes on after its last line, line %d; keep the lines of an invoice together"
                    .formatted(row.getField(0), before.getStartingLineNumber()));
        }
        for (int i = 0; i < INVOICE_COLUMNS.size(); i++) {
            if (!row.getField(i).equals(before.getField(i))) {
                throw broken("%s is \"%s\", but \"%s\" on line %d of the same invoice; make them the same"
                        .formatted(
                                COLUMNS.get(i), row.getField(i), before.getField(i), before.getStartingLineNumber()));
            }
        }
    }

    private static String payload(List<CsvRecord> rows) {
        return InvoicePayload.write(rows.stream().map(CsvRecord::getFields).toList());
    }

    private IllegalArgumentException broken(String problem) {
        return new IllegalArgumentException("%s, line %d: %s".formatted(file, line, problem));
    }
}
