package dev.dibs.examples.invoices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Currency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class InvoiceTest {

    private static final Currency EUR = Currency.getInstance("EUR");

    @Test
    void anInvoiceKnowsItsTotals() {
        var invoice = Invoice.parse(SamplePayload.TEXT);

        assertThat(invoice.net()).isEqualTo(euros("121.25"));
        assertThat(invoice.total()).isEqualTo(euros("144.25"));
    }

    @Test
    void eachTaxRateIsSummedForItselfAndTheHighestComesFirst() {
        var invoice = Invoice.parse(SamplePayload.TEXT);

        assertThat(invoice.taxes())
                .containsExactly(
                        new TaxShare(tax(TaxKind.STANDARD, "23"), euros("100.00"), euros("23.00")),
                        new TaxShare(tax(TaxKind.ZERO_RATED, "0"), euros("21.25"), euros("0.00")));
    }

    @Test
    void ratesThatAreWrittenDifferentlyAreOneRate() {
        var invoice = Invoice.parse(SamplePayload.with("\"Z\", \"tax_rate\": \"0\"", "\"S\", \"tax_rate\": \"23.0\""));

        assertThat(invoice.taxes())
                .containsExactly(new TaxShare(tax(TaxKind.STANDARD, "23"), euros("121.25"), euros("27.89")));
    }

    @Test
    void taxIsRoundedOnceOnTheSumOfItsLinesAndNotLineByLine() {
        // 23 % of 0.11 is 0.0253; three times that is 0.0759, which is 0.08 and not three times 0.03.
        String line = """
                {"description": "Hook", "quantity": "1", "unit": "ea",
                 "unit_price": "0.11", "tax_code": "S", "tax_rate": "23"}""";
        String payload = SamplePayload.TEXT.substring(0, SamplePayload.TEXT.indexOf("[") + 1)
                + String.join(",", line, line, line)
                + "]}";

        assertThat(Invoice.parse(payload).total()).isEqualTo(euros("0.41"));
    }

    @Test
    void yenHaveNoDecimals() {
        var invoice = Invoice.parse(SamplePayload.with("EUR", "JPY"));

        assertThat(invoice.net().amount()).isEqualTo(new BigDecimal("121"));
        assertThat(invoice.total().amount()).isEqualTo(new BigDecimal("144"));
    }

    @Test
    void dinarsHaveThreeDecimals() {
        assertThat(Invoice.parse(SamplePayload.with("EUR", "JOD")).total().amount())
                .isEqualTo(new BigDecimal("144.250"));
    }

    @Test
    void amountsOfTwoCurrenciesAreNotAdded() {
        assertThatThrownBy(() -> euros("1").plus(Money.zero(Currency.getInstance("JPY"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("EUR and JPY cannot be added; convert one of them first");
    }

    @Test
    void numbersInAPayloadMayBeJsonNumbers() {
        assertThat(Invoice.parse(SamplePayload.with("\"2.5\"", "2.5"))).isEqualTo(Invoice.parse(SamplePayload.TEXT));
    }

    @Test
    void aMalformedQuantityIsRefusedByInvoiceLineAndField() {
        assertThatThrownBy(() -> Invoice.parse(SamplePayload.with("\"3\"", "\"twelve\"")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "invoice \"INV-7\", line 2: quantity is \"twelve\"; it must be a decimal number such as 12 or 2.5");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            "2026-03-31" | "31.3.2026"  | invoice "INV-7": due_date is "31.3.2026"; it must be a date such as 2026-03-31
            "2026-03-31" | "2026-02-28" | invoice "INV-7": due_date is "2026-02-28"; it cannot be before the issue_date 2026-03-01
            "EUR"        | "EURO"       | invoice "INV-7": currency is "EURO"; it must be an ISO 4217 code such as EUR, USD or JPY
            "EUR"        | "XXX"        | invoice "INV-7": currency is "XXX"; it must be an ISO 4217 code such as EUR, USD or JPY
            "en-GB"      | "english!"   | invoice "INV-7": language is "english!"; it must be a language tag such as de-AT or ja-JP
            "Ada Marsh"  | " "          | invoice "INV-7": customer_name is missing; every invoice needs it
            "Ada Marsh"  | null         | invoice "INV-7": customer_name is missing; every invoice needs it
            "Ada Marsh"  | []           | invoice "INV-7": customer_name is "[]"; it must be a text or a number
            "IE"         | "Eire"       | invoice "INV-7": seller_country is "Eire"; it must be an ISO 3166 code such as DE or JP
            "40.00"      | "40,00"      | invoice "INV-7", line 1: unit_price is "40,00"; it must be a decimal number such as 12 or 2.5
            "40.00"      | 1e900        | invoice "INV-7", line 1: unit_price is "Infinity"; it must be a decimal number such as 12 or 2.5
            "Net"        | ""           | invoice "INV-7", line 1: description is missing; every invoice needs it
            "Z"          | "Q"          | invoice "INV-7", line 2: tax_code is "Q"; it must be S (standard), Z (zero rated), AE (reverse charge) or G (export)
            "23"         | "123"        | invoice "INV-7", line 1: tax_rate is "123"; it must be a percentage from 0 to 100
            "0"          | "5"          | invoice "INV-7", line 2: tax_rate is "5"; it must be 0 where the tax_code is Z
            "INV-7"      | ""           | invoice payload: invoice_number is missing; every invoice needs it
            """)
    void whatCannotBeUnderstoodIsRefusedWithItsPlaceAndTheRemedy(String seen, String instead, String message) {
        assertThatThrownBy(() -> Invoice.parse(SamplePayload.with(seen, instead)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void anInvoiceWithoutLinesIsRefused() {
        assertThatThrownBy(() -> Invoice.parse(SamplePayload.with("\"lines\"", "\"rows\"")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("invoice \"INV-7\": it has no lines; an invoice needs at least one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "nonsense", "{} {}", "[1]", "null"})
    void whatIsNoJsonObjectIsRefused(String payload) {
        assertThatThrownBy(() -> Invoice.parse(payload))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("invoice payload");
    }

    private static Money euros(String amount) {
        return new Money(new BigDecimal(amount), EUR);
    }

    private static Tax tax(TaxKind kind, String rate) {
        return new Tax(kind, new BigDecimal(rate));
    }
}
