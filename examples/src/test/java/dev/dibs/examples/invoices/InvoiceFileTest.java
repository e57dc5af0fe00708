package dev.dibs.examples.invoices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InvoiceFileTest {

    private static final String HEADER =
            "invoice_number,issue_date,due_date,language,currency,seller_name,seller_street,seller_city,seller_country,"
                    + "seller_tax_id,payment_account,customer_name,customer_street,customer_city,customer_country,"
                    + "customer_tax_id,description,quantity,unit,unit_price,tax_code,tax_rate";
    private static final String INVOICE =
            ",2026-03-01,2026-03-31,en-GB,EUR,Harbour Nets Ltd,3 Quay Lane,Galway,IE,IE0000007,IBAN IE00 0000 0007,";
    private static final String FIRST = "INV-7" + INVOICE + "Ada Marsh,1 Hill Road,Cork,IE,,Net,2.5,m,40.00,S,23";
    private static final String SECOND = "INV-7" + INVOICE + "Ada Marsh,1 Hill Road,Cork,IE,,Chart,3,ea,7.0833,Z,0";
    private static final String OTHER = "INV-8" + INVOICE + "Ada Marsh,1 Hill Road,Cork,IE,,Oar,1,ea,60,S,23";

    private Path file;

    @BeforeEach
    void name(@TempDir Path folder) {
        file = folder.resolve("export.csv");
    }

    @Test
    void theLinesOfAnInvoiceBecomeOnePayload() throws IOException {
        write(HEADER, FIRST, SECOND, OTHER);

        var invoices = InvoiceFile.read(file);

        assertThat(invoices).extracting(RawInvoice::number).containsExactly("INV-7", "INV-8");
        assertThat(Invoice.parse(invoices.get(0).payload())).isEqualTo(Invoice.parse(SamplePayload.TEXT));
    }

    @Test
    void aFileFromAnotherProgramMayBeginWithAByteOrderMarkAndEndItsLinesForWindows() throws IOException {
        Files.writeString(file, "\uFEFF" + HEADER + "\r\n" + FIRST + "\r\n");

        assertThat(InvoiceFile.read(file)).extracting(RawInvoice::number).containsExactly("INV-7");
    }

    @Test
    void emptyLinesDoNotMatter() throws IOException {
        write(HEADER, "", FIRST, "", "", SECOND, "");

        assertThat(InvoiceFile.read(file)).hasSize(1);
    }

    @Test
    void anAmountThatIsNoNumberDoesNotKeepTheFileFromBeingRead() throws IOException {
        write(HEADER, FIRST.replace("2.5", "twelve"), OTHER);

        assertThat(InvoiceFile.read(file)).hasSize(2);
    }

    @Test
    void aHeaderAloneIsNoInvoice() throws IOException {
        write(HEADER);

        assertThat(InvoiceFile.read(file)).isEmpty();
    }

    @Test
    void aMissingColumnIsRefused() throws IOException {
        write(HEADER, FIRST, "INV-7,2026-03-01,2026-03-31");

        refuses(
                "%s, line 3: 3 columns where the header has 22; quote a text that holds a comma, and leave no column out");
    }

    @Test
    void aCommaOutsideQuotesIsRefused() throws IOException {
        write(HEADER, FIRST.replace("1 Hill Road", "1 Hill Road, Backyard"));

        refuses(
                "%s, line 2: 23 columns where the header has 22; quote a text that holds a comma, and leave no column out");
    }

    @Test
    void aQuoteThatIsNeverClosedIsRefused() throws IOException {
        write(HEADER, FIRST, SECOND.replace("Chart", "\"Chart"), OTHER);

        refuses(
                "%s, line 3: description holds a line break, as it does when a quote is never closed; close the quote, and write a space for each line break");
    }

    @Test
    void aQuoteThatIsNeverClosedOnTheLastLineIsRefused() throws IOException {
        Files.writeString(file, String.join("\n", HEADER, FIRST.replace("Net", "\"Net")));

        refuses(
                "%s, line 2: 17 columns where the header has 22; quote a text that holds a comma, and leave no column out");
    }

    @Test
    void aQuoteInTheMiddleOfAQuotedTextIsRefused() throws IOException {
        write(HEADER, FIRST, SECOND.replace("Chart", "\"Chart \"A\"\""));

        refuses(
                "%s, line 3: this is no CSV (Unexpected character after closing quote: 'A' (0x41)); close each quote, and write a quote inside a quoted text twice");
    }

    @Test
    void aLineWithoutAnInvoiceNumberIsRefused() throws IOException {
        write(HEADER, FIRST, SECOND.replace("INV-7", " "));

        refuses("%s, line 3: invoice_number is empty; every line names its invoice");
    }

    @Test
    void anInvoiceWhoseLinesLieApartIsRefused() throws IOException {
        write(HEADER, FIRST, OTHER, SECOND);

        refuses(
                "%s, line 4: invoice \"INV-7\" goes on after its last line, line 2; keep the lines of an invoice together");
    }

    @Test
    void anInvoiceWithTwoCustomersIsRefused() throws IOException {
        write(HEADER, FIRST, SECOND.replace("Ada Marsh", "Eve Marsh"));

        refuses(
                "%s, line 3: customer_name is \"Eve Marsh\", but \"Ada Marsh\" on line 2 of the same invoice; make them the same");
    }

    @Test
    void anotherHeaderIsRefused() throws IOException {
        write(HEADER.replace("due_date", "due"), FIRST);

        refuses("%s, line 1: column 3 of the header is \"due\" where \"due_date\" belongs; the header must be "
                + HEADER);
    }

    @Test
    void aQuoteThatIsNeverClosedInTheHeaderIsRefusedWithoutShowingTheWholeFile() throws IOException {
        write(HEADER.replace("due_date", "\"due_date"), FIRST);

        refuses("%s, line 1: column 3 of the header is \"due_date" + HEADER.substring(HEADER.indexOf(",language"))
                + "\" where \"due_date\" belongs; the header must be " + HEADER);
    }

    @Test
    void aShortHeaderIsRefused() throws IOException {
        write(HEADER.replace(",tax_rate", ""), FIRST);

        refuses("%s, line 1: column 22 of the header is nothing more where \"tax_rate\" belongs; the header must be "
                + HEADER);
    }

    @Test
    void anEmptyFileIsRefused() throws IOException {
        write();

        refuses("%s: the file is empty; its first line must be " + HEADER);
    }

    @Test
    void aFileThatIsNotThereIsRefused() {
        refuses("%s: there is no such file; give the path of a CSV file");
    }

    @Test
    void aFileInAnotherEncodingIsRefused() throws IOException {
        Files.write(file, (HEADER + "\n" + FIRST.replace("Cork", "Köln")).getBytes(StandardCharsets.ISO_8859_1));

        refuses("%s: the text is not UTF-8; export it as CSV in UTF-8");
    }

    private void write(String... lines) throws IOException {
        Files.write(file, List.of(lines));
    }

    private void refuses(String message) {
        assertThatThrownBy(() -> InvoiceFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message.formatted(file));
    }
}
