package dev.dibs.examples.invoices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InvoicePageTest {

    @TempDir
    private Path folder;

    @Test
    void thePageSaysWhatIsPaidWhenAndWhereTo() {
        assertThat(InvoicePage.html(sample()))
                .contains("INV-7", "Harbour Nets Ltd", "Ada Marsh", "Ireland", "€144.25", "€121.25", "€23.00", "23%")
                .contains("Please pay by 31 March 2026.")
                .contains("IBAN IE00 0000 0007");
    }

    @Test
    void everyTextIsEscaped() {
        String page = InvoicePage.html(Invoice.parse(SamplePayload.TEXT
                .replace("Ada Marsh", "<script>alert(1)</script>")
                .replace("Net", "Rope & \\\"Knot\\\" <b>")
                .replace("\"m\"", "\"<i>\"")
                .replace("Cork", "</address>")));

        assertThat(page)
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "Rope &amp; \"Knot\" &lt;b&gt;", "&lt;i&gt;")
                .doesNotContain("<script>", "<b>\"", "<i>", "</address></span>");
    }

    @Test
    void aPageNeedsNothingFromTheNetwork() {
        assertThat(InvoicePage.html(sample())).doesNotContain("http", "src=", "url(", "@import", "<link");
    }

    @Test
    void anArabicInvoiceIsWrittenFromRightToLeft() {
        assertThat(InvoicePage.html(Invoice.parse(SamplePayload.with("en-GB", "ar-JO"))))
                .contains("<html lang=\"ar-JO\" dir=\"rtl\">", "فاتورة");
    }

    @Test
    void aRightToLeftNameInALeftToRightInvoiceFindsItsOwnDirection() {
        assertThat(InvoicePage.html(Invoice.parse(SamplePayload.with("Ada Marsh", "נועה בן-ענן"))))
                .contains("dir=\"ltr\">", "<strong dir=\"auto\">נועה בן-ענן</strong>");
    }

    @Test
    void aYenAmountIsShownWithoutDecimals() {
        String japanese = SamplePayload.TEXT.replace("EUR", "JPY").replace("en-GB", "ja-JP");

        assertThat(InvoicePage.html(Invoice.parse(japanese))).contains("￥144<", "請求書", "2026年3月31日");
    }

    @Test
    void reverseChargeIsExplained() {
        String payload = SamplePayload.TEXT.replace("\"S\", \"tax_rate\": \"23\"", "\"AE\", \"tax_rate\": \"0\"");

        assertThat(InvoicePage.html(Invoice.parse(payload)))
                .containsOnlyOnce("Reverse charge: the customer accounts for the tax.")
                .contains("€121.25");
    }

    @Test
    void anInvoiceWithTaxNeedsNoExplanation() {
        assertThat(InvoicePage.html(sample())).doesNotContain("Reverse charge", "Export");
    }

    @Test
    void aPageIsOneFileNamedAfterTheInvoice() throws IOException {
        Path page = InvoicePage.write(sample(), folder.resolve("2026/march"));

        assertThat(page).isEqualTo(folder.resolve("2026/march/INV-7.html"));
        assertThat(Files.readString(page)).isEqualTo(InvoicePage.html(sample()));
    }

    @Test
    void anInvoiceThatIsWrittenTwiceLeavesOneFile() {
        Path once = InvoicePage.write(sample(), folder);
        Path twice = InvoicePage.write(sample(), folder);

        assertThat(twice).isEqualTo(once);
        assertThat(folder).isDirectoryContaining(file -> file.equals(once));
        assertThat(folder.toFile().list()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../INV-7", "/etc/INV-7", "a/b", "a\\\\b", "..", ".hidden", "INV 7", "C:7", "INV-7\\u0000x"})
    void aNumberThatLeavesTheFolderIsRefused(String number) {
        var invoice = Invoice.parse(SamplePayload.with("INV-7", number));

        assertThatThrownBy(() -> InvoicePage.write(invoice, folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its number cannot be the name of a file");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theRefusalOfANumberSaysWhatANumberMayBe() {
        var invoice = Invoice.parse(SamplePayload.with("INV-7", "../../INV-7"));

        assertThatThrownBy(() -> InvoicePage.write(invoice, folder))
                .hasMessage("invoice \"../../INV-7\": its number cannot be the name of a file; begin with a letter or"
                        + " digit and use letters, digits, \".\", \"-\" and \"_\", at most 80");
    }

    @Test
    void aFolderThatCannotBeWrittenToIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("taken"));

        assertThatThrownBy(() -> InvoicePage.write(sample(), file))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(
                        "invoice \"INV-7\": %s cannot be written; check that the folder may be written to and has space"
                                .formatted(file.resolve("INV-7.html")));
    }

    private static Invoice sample() {
        return Invoice.parse(SamplePayload.TEXT);
    }
}
