package dev.dibs.examples.invoices;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.text.NumberFormat;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Pattern;

/** The words, amounts and dates of an invoice in its language; for one thread at a time. */
public final class InvoiceText {

    private static final int MOST_PRICE_DECIMALS = 6;
    private static final Pattern WHOLE_PART = Pattern.compile("[0-9]{1,3}(,[0-9]{3})+");

    private final Locale locale;
    private final Locale language;
    private final Properties words;

    private InvoiceText(Locale locale, Locale language, Properties words) {
        this.locale = locale;
        this.language = language;
        this.words = words;
    }

    /** The text of a language; where it has no words yet they are English, its region's numbers stay. */
    public static InvoiceText of(Locale locale) {
        // Numbers of invoices and accounts have the digits 0 to 9, so the amounts beside them have them too.
        var digits = new Locale.Builder()
                .setLocale(locale)
                .setUnicodeLocaleKeyword("nu", "latn")
                .build();
        Properties words = words(locale);
        return words.isEmpty()
                ? new InvoiceText(digits, Locale.UK, words(Locale.UK))
                : new InvoiceText(digits, locale, words);
    }

    private static Properties words(Locale language) {
        var words = new Properties();
        var resource = "labels_%s.properties".formatted(language.getLanguage());
        try (var stream = InvoiceText.class.getResourceAsStream(resource)) {
            if (stream != null) {
                words.load(new InputStreamReader(stream, StandardCharsets.UTF_8));
            }
            return words;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The language of the words, as the page's {@code lang}. */
    public String languageTag() {
        return language.toLanguageTag();
    }

    /** The writing direction of the words, as the page's {@code dir}. */
    public String direction() {
        return label("direction");
    }

    /** A word or sentence by its key. */
    public String label(String key) {
        String label = words.getProperty(key);
        if (label == null) {
            throw new IllegalArgumentException(
                    "no label \"%s\" in %s; add it to the properties of that language".formatted(key, languageTag()));
        }
        return label;
    }

    /** The request to pay by a day. */
    public String payBy(LocalDate due) {
        return label("payBy").formatted(date(due));
    }

    /** A day, with its month spelled out. */
    public String date(LocalDate date) {
        return DateTimeFormatter.ofLocalizedDate(FormatStyle.LONG)
                .withLocale(language)
                .format(date);
    }

    /** An amount with its currency and as many decimals as the currency has. */
    public String money(Money money) {
        return amount(money.amount(), money.currency(), money.amount().scale());
    }

    /** The code of an amount's currency, or nothing where the amount itself is written with the code. */
    public String currencyCode(Money money) {
        String code = money.currency().getCurrencyCode();
        return money(money).contains(code) ? "" : code;
    }

    /** A price, with further decimals where it has some. */
    public String price(BigDecimal price, Currency currency) {
        return amount(price, currency, MOST_PRICE_DECIMALS);
    }

    private String amount(BigDecimal amount, Currency currency, int mostDecimals) {
        var format = NumberFormat.getCurrencyInstance(locale);
        format.setCurrency(currency);
        format.setMinimumFractionDigits(currency.getDefaultFractionDigits());
        format.setMaximumFractionDigits(mostDecimals);
        return grouped(format.format(amount));
    }

    /** A number with as many decimals as it has. */
    public String number(BigDecimal number) {
        var format = NumberFormat.getNumberInstance(locale);
        format.setMaximumFractionDigits(Math.max(0, number.scale()));
        return grouped(format.format(number));
    }

    /** A rate of so many percent. */
    public String percent(BigDecimal rate) {
        var format = NumberFormat.getPercentInstance(locale);
        format.setMaximumFractionDigits(Math.max(0, rate.scale()));
        return format.format(rate.movePointLeft(2));
    }

    /** The name of a country. */
    public String country(String code) {
        return new Locale.Builder().setRegion(code).build().getDisplayCountry(language);
    }

    /** The taxes of an invoice which need a reason, given once each. */
    public List<String> taxReasons(Invoice invoice) {
        return invoice.taxes().stream()
                .map(share -> share.tax().kind())
                .filter(TaxKind::needsReason)
                .distinct()
                .map(kind -> label("reason." + kind))
                .toList();
    }

    /** Groups of two digits above the thousands in India, which {@link NumberFormat} does not know. */
    private String grouped(String formatted) {
        if (!locale.getCountry().equals("IN")) {
            return formatted;
        }
        return WHOLE_PART
                .matcher(formatted)
                .replaceAll(whole -> indian(whole.group().replace(",", "")));
    }

    private static String indian(String digits) {
        int thousands = digits.length() - 3;
        return digits.substring(0, thousands).replaceAll("(?<=[0-9])(?=([0-9]{2})+$)", ",") + ","
                + digits.substring(thousands);
    }
}
