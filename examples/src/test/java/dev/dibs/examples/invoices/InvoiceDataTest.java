package dev.dibs.examples.invoices;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.Character.UnicodeScript;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the data of the example promises to those who run it. */
final class InvoiceDataTest {

    private static final String MALFORMED = "INV-2026-0137";
    private static final List<RawInvoice> RAW = InvoiceFile.read(Path.of("data", "invoices.csv"));
    private static final List<Invoice> INVOICES = RAW.stream()
            .filter(raw -> !raw.number().equals(MALFORMED))
            .map(raw -> Invoice.parse(raw.payload()))
            .toList();

    @Test
    void thereAreEnoughInvoicesAndEachHasSeveralLines() {
        assertThat(RAW).hasSize(256);
        assertThat(INVOICES)
                .hasSize(255)
                .allSatisfy(invoice -> assertThat(invoice.lines()).hasSizeGreaterThanOrEqualTo(2));
        assertThat(INVOICES).anySatisfy(invoice -> assertThat(invoice.lines()).hasSizeGreaterThan(30));
    }

    @Test
    void exactlyOneInvoiceIsMalformedAndSaysWhere() {
        var malformed = RAW.stream()
                .filter(raw -> raw.number().equals(MALFORMED))
                .findFirst()
                .orElseThrow();

        assertThatThrownBy(() -> Invoice.parse(malformed.payload()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "invoice \"INV-2026-0137\", line 2: quantity is \"twelve\"; it must be a decimal number such as 12 or 2.5");
    }

    @Test
    void numbersRunOnWithoutAGap() {
        assertThat(RAW).extracting(RawInvoice::number).doesNotHaveDuplicates().isSorted();
        assertThat(RAW.get(RAW.size() - 1).number()).isEqualTo("INV-2026-0256");
    }

    @Test
    void everyPayloadFitsItsInvoiceAndStaysCompact() {
        assertThat(RAW)
                .allSatisfy(raw -> assertThat(raw.payload())
                        .startsWith("{\"invoice_number\":\"" + raw.number() + "\"")
                        .doesNotContain("\n")
                        .hasSizeLessThan(8_000));
    }

    @Test
    void currenciesWithTwoThreeAndNoDecimalsOccur() {
        assertThat(INVOICES)
                .extracting(invoice -> invoice.terms().currency().getCurrencyCode())
                .contains("EUR", "USD", "JPY", "JOD");
    }

    @Test
    void namesAreWrittenInTenScripts() {
        var scripts = INVOICES.stream()
                .flatMap(invoice ->
                        Stream.of(invoice.seller().name(), invoice.customer().name()))
                .flatMap(name -> name.codePoints().mapToObj(UnicodeScript::of))
                .collect(toSet());

        assertThat(scripts)
                .contains(
                        UnicodeScript.LATIN,
                        UnicodeScript.GREEK,
                        UnicodeScript.CYRILLIC,
                        UnicodeScript.HAN,
                        UnicodeScript.HIRAGANA,
                        UnicodeScript.KATAKANA,
                        UnicodeScript.HANGUL,
                        UnicodeScript.ARABIC,
                        UnicodeScript.HEBREW,
                        UnicodeScript.DEVANAGARI,
                        UnicodeScript.THAI);
    }

    @Test
    void namesHoldTheCharactersThatCsvAndHtmlGiveAMeaning() {
        var names = INVOICES.stream()
                .map(invoice -> invoice.customer().name())
                .distinct()
                .toList();

        assertThat(names).anyMatch(name -> name.contains("\""));
        assertThat(names).anyMatch(name -> name.contains(","));
        assertThat(names).anyMatch(name -> name.contains("&"));
        assertThat(names).anyMatch(name -> name.contains("<"));
    }

    @Test
    void taxesAreMixedReversedAndFree() {
        assertThat(INVOICES).anyMatch(invoice -> invoice.taxes().size() == 3);
        assertThat(INVOICES)
                .flatExtracting(Invoice::lines)
                .extracting(line -> line.tax().kind())
                .contains(TaxKind.values());
    }

    @Test
    void someQuantitiesAreFractions() {
        assertThat(INVOICES)
                .flatExtracting(Invoice::lines)
                .anyMatch(line -> line.quantity().amount().stripTrailingZeros().scale() > 0);
    }

    @Test
    void everyInvoiceAsksForMoney() {
        assertThat(INVOICES).allMatch(invoice -> invoice.total().amount().signum() > 0);
    }

    @Test
    void everyInvoiceRenders() {
        assertThat(INVOICES)
                .allSatisfy(invoice -> assertThat(InvoicePage.html(invoice))
                        .contains(invoice.number())
                        .endsWith("</html>\n"));
    }

    @Test
    void knownInvoicesHaveKnownTotals() {
        assertThat(totalOf("INV-2026-0018")).isEqualTo("JPY 243831");
        assertThat(totalOf("INV-2026-0016")).isEqualTo("JOD 1825.589");
        assertThat(totalOf("INV-2026-0214")).isEqualTo("EUR 3336.38");
        assertThat(totalOf("INV-2026-0079")).isEqualTo("INR 211405.60");
    }

    private static String totalOf(String number) {
        return INVOICES.stream()
                .filter(invoice -> invoice.number().equals(number))
                .map(Invoice::total)
                .map(total -> "%s %s".formatted(total.currency(), total.amount()))
                .findFirst()
                .orElseThrow();
    }
}
