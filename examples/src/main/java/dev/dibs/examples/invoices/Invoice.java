package dev.dibs.examples.invoices;

import static java.util.stream.Collectors.groupingBy;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;

/** What a seller asks a customer to pay; its sums are worked out from its lines. */
public record Invoice(String number, Terms terms, Party seller, Party customer, List<Line> lines) {

    private static final Comparator<TaxShare> HIGHEST_RATE_FIRST = Comparator.comparing(
                    (TaxShare share) -> share.tax().rate())
            .reversed()
            .thenComparing(share -> share.tax().kind());

    public Invoice {
        lines = List.copyOf(lines);
    }

    /**
     * The invoice that a payload describes.
     *
     * @throws IllegalArgumentException naming the invoice, the line and the field that cannot be understood
     */
    public static Invoice parse(String payload) {
        return InvoicePayload.read(payload);
    }

    /** The sum of the lines before tax. */
    public Money net() {
        return sum(lines);
    }

    /** The lines' taxes, the highest rate first; each is rounded once, on the sum of its lines. */
    public List<TaxShare> taxes() {
        return lines.stream().collect(groupingBy(Line::tax)).entrySet().stream()
                .map(entry -> taxShare(entry.getKey(), sum(entry.getValue())))
                .sorted(HIGHEST_RATE_FIRST)
                .toList();
    }

    /** What there is to pay. */
    public Money total() {
        return taxes().stream().map(TaxShare::amount).reduce(net(), Money::plus);
    }

    private Money sum(List<Line> some) {
        return some.stream().map(line -> line.net(terms.currency())).reduce(Money.zero(terms.currency()), Money::plus);
    }

    private static TaxShare taxShare(Tax tax, Money net) {
        BigDecimal amount = net.amount().multiply(tax.rate()).movePointLeft(2);
        return new TaxShare(tax, net, new Money(amount, net.currency()));
    }
}
