package dev.dibs.examples.invoices;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Currency;
import java.util.IllformedLocaleException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The fields of an object in a payload; what cannot be understood is refused by saying where it stands.
 *
 * @param where the invoice and the line, as an error message begins
 */
record PayloadFields(String where, JsonNode object) {

    /** Bounded, and without an exponent, so that no amount takes more than a moment to work with. */
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,12}(\\.[0-9]{1,6})?");

    private static final Set<String> COUNTRIES = Set.of(Locale.getISOCountries());
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    String text(String name) {
        String text = textOrEmpty(name);
        if (text.isBlank()) {
            throw new IllegalArgumentException("%s: %s is missing; every invoice needs it".formatted(where, name));
        }
        return text;
    }

    String textOrEmpty(String name) {
        JsonNode value = object.path(name);
        if (value.isContainerNode()) {
            throw refused(name, value.toString(), "it must be a text or a number");
        }
        return value.isNull() ? "" : value.asText("").strip();
    }

    BigDecimal decimal(String name) {
        String text = text(name);
        if (!DECIMAL.matcher(text).matches()) {
            throw refused(name, text, "it must be a decimal number such as 12 or 2.5");
        }
        return new BigDecimal(text);
    }

    LocalDate date(String name) {
        String text = text(name);
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw refused(name, text, "it must be a date such as 2026-03-31");
        }
    }

    Currency currency(String name) {
        String text = text(name);
        return Currency.getAvailableCurrencies().stream()
                .filter(currency -> currency.getCurrencyCode().equals(text))
                .filter(currency -> currency.getDefaultFractionDigits() >= 0)
                .findFirst()
                .orElseThrow(() -> refused(name, text, "it must be an ISO 4217 code such as EUR, USD or JPY"));
    }

    String country(String name) {
        String text = text(name);
        if (!COUNTRIES.contains(text)) {
            throw refused(name, text, "it must be an ISO 3166 code such as DE or JP");
        }
        return text;
    }

    Locale language(String name) {
        String text = text(name);
        try {
            return new Locale.Builder().setLanguageTag(text).build();
        } catch (IllformedLocaleException e) {
            throw refused(name, text, "it must be a language tag such as de-AT or ja-JP");
        }
    }

    Tax tax(String codeName, String rateName) {
        String code = text(codeName);
        TaxKind kind = TaxKind.ofCode(code)
                .orElseThrow(() -> refused(
                        codeName, code, "it must be S (standard), Z (zero rated), AE (reverse charge) or G (export)"));
        BigDecimal rate = decimal(rateName);
        if (rate.signum() < 0 || rate.compareTo(HUNDRED) > 0) {
            throw refused(rateName, rate.toPlainString(), "it must be a percentage from 0 to 100");
        }
        if (kind != TaxKind.STANDARD && rate.signum() != 0) {
            throw refused(rateName, rate.toPlainString(), "it must be 0 where the tax_code is " + code);
        }
        return new Tax(kind, rate);
    }

    /** The objects of an array, which must have at least one. */
    List<PayloadFields> each(String name) {
        JsonNode array = object.path(name);
        if (!array.isArray() || array.isEmpty()) {
            throw new IllegalArgumentException("%s: it has no lines; an invoice needs at least one".formatted(where));
        }
        var each = new ArrayList<PayloadFields>();
        for (JsonNode element : array) {
            each.add(new PayloadFields("%s, line %d".formatted(where, each.size() + 1), element));
        }
        return each;
    }

    IllegalArgumentException refused(String name, String seen, String remedy) {
        return new IllegalArgumentException("%s: %s is \"%s\"; %s".formatted(where, name, seen, remedy));
    }
}
