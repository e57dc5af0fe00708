package dev.dibs.examples.invoices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Currency;
import java.util.Locale;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class InvoiceTextTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            de-DE | EUR | 1234567.5 | 1.234.567,50 €
            fr-FR | EUR | 1234567.5 | 1 234 567,50 €
            de-CH | EUR | 1234567.5 | EUR 1’234’567.50
            en-US | USD | 1234567.5 | $1,234,567.50
            en-US | USD | -25       | -$25.00
            ja-JP | JPY | 1234567.5 | ￥1,234,568
            ko-KR | KRW | 1234567   | ₩1,234,567
            hi-IN | INR | 1234567.5 | ₹12,34,567.50
            hi-IN | INR | 234567    | ₹2,34,567.00
            hi-IN | INR | 34567     | ₹34,567.00
            hi-IN | INR | 567       | ₹567.00
            """)
    void anAmountIsWrittenAsItsRegionAndItsCurrencyWriteIt(
            String language, String currency, BigDecimal amount, String written) {
        var money = new Money(amount, Currency.getInstance(currency));

        // The spaces are those that do not break, wide or narrow as the language has them.
        assertThat(text(language).money(money).replaceAll("[\\u00A0\\u202F]", " "))
                .isEqualTo(written);
    }

    @Test
    void arabicAmountsHaveTheDigitsOfTheInvoiceNumberBesideThem() {
        var money = new Money(new BigDecimal("1825.5"), Currency.getInstance("JOD"));

        assertThat(text("ar-JO").money(money)).contains("1,825.500").contains("د.أ");
    }

    @Test
    void aPriceKeepsTheDecimalsBeyondItsCurrency() {
        assertThat(text("en-US").price(new BigDecimal("7.0833"), Currency.getInstance("USD")))
                .isEqualTo("$7.0833");
        assertThat(text("en-US").price(new BigDecimal("7"), Currency.getInstance("USD")))
                .isEqualTo("$7.00");
    }

    @Test
    void aQuantityIsWrittenWithTheDecimalsItHas() {
        assertThat(text("de-DE").number(new BigDecimal("1234.125"))).isEqualTo("1.234,125");
        assertThat(text("de-DE").number(new BigDecimal("12"))).isEqualTo("12");
    }

    @Test
    void aTaxRateIsWrittenInFull() {
        assertThat(text("en-US").percent(new BigDecimal("8.875"))).isEqualTo("8.875%");
        assertThat(text("en-US").percent(new BigDecimal("2E+1"))).isEqualTo("20%");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            de-DE | 6. März 2026
            en-US | March 6, 2026
            en-GB | 6 March 2026
            ja-JP | 2026年3月6日
            ar-JO | 6 آذار 2026
            """)
    void aDateIsWrittenAsItsLanguageWritesIt(String language, String written) {
        assertThat(text(language).date(LocalDate.of(2026, 3, 6))).isEqualTo(written);
    }

    @Test
    void aLanguageWithoutWordsIsServedInEnglishWithItsOwnNumbers() {
        var icelandic = text("is-IS");

        assertThat(icelandic.languageTag()).isEqualTo("en-GB");
        assertThat(icelandic.label("invoice")).isEqualTo("Invoice");
        assertThat(icelandic.number(new BigDecimal("1234.5"))).isEqualTo("1.234,5");
    }

    @Test
    void anUnknownLabelIsRefused() {
        assertThatThrownBy(() -> text("de-DE").label("greeting"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no label \"greeting\" in de-DE; add it to the properties of that language");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar", "de", "el", "es", "fr", "he", "hi", "ja", "ko", "pl", "th", "uk", "zh"})
    void everyLanguageHasEveryWord(String language) throws IOException {
        assertThat(labels(language).keySet()).isEqualTo(labels("en").keySet());
        assertThat(labels(language).getProperty("payBy")).containsOnlyOnce("%s");
        assertThat(labels(language).values()).doesNotContain("");
    }

    private static Properties labels(String language) throws IOException {
        var labels = new Properties();
        try (var reader = new InputStreamReader(
                InvoiceText.class.getResourceAsStream("labels_%s.properties".formatted(language)),
                StandardCharsets.UTF_8)) {
            labels.load(reader);
        }
        return labels;
    }

    private static InvoiceText text(String language) {
        return InvoiceText.of(Locale.forLanguageTag(language));
    }
}
