package dev.dibs.examples.invoices;

/** A payload to begin from: one invoice of two lines over EUR 144.25. */
final class SamplePayload {

    static final String TEXT = """
            {
              "invoice_number": "INV-7",
              "issue_date": "2026-03-01",
              "due_date": "2026-03-31",
              "language": "en-GB",
              "currency": "EUR",
              "seller_name": "Harbour Nets Ltd",
              "seller_street": "3 Quay Lane",
              "seller_city": "Galway",
              "seller_country": "IE",
              "seller_tax_id": "IE0000007",
              "payment_account": "IBAN IE00 0000 0007",
              "customer_name": "Ada Marsh",
              "customer_street": "1 Hill Road",
              "customer_city": "Cork",
              "customer_country": "IE",
              "customer_tax_id": "",
              "lines": [
                {
                  "description": "Net", "quantity": "2.5", "unit": "m",
                  "unit_price": "40.00", "tax_code": "S", "tax_rate": "23"
                },
                {
                  "description": "Chart", "quantity": "3", "unit": "ea",
                  "unit_price": "7.0833", "tax_code": "Z", "tax_rate": "0"
                }
              ]
            }
            """;

    private SamplePayload() {}

    /** The sample with one piece of its text replaced. */
    static String with(String seen, String instead) {
        if (!TEXT.contains(seen)) {
            throw new IllegalArgumentException("the sample has no " + seen);
        }
        return TEXT.replace(seen, instead);
    }
}
