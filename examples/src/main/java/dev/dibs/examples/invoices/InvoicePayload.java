package dev.dibs.examples.invoices;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of an invoice in the queue: a JSON object with the columns of the export as its fields, all of them text,
 * and those of each line under {@code lines}.
 */
final class InvoicePayload {

    /** The columns that are the same on every line of an invoice. */
    static final List<String> INVOICE_COLUMNS = List.of(
            "invoice_number",
            "issue_date",
            "due_date",
            "language",
            "currency",
            "seller_name",
            "seller_street",
            "seller_city",
            "seller_country",
            "seller_tax_id",
            "payment_account",
            "customer_name",
            "customer_street",
            "customer_city",
            "customer_country",
            "customer_tax_id");

    /** The columns that each line has for itself. */
    static final List<String> LINE_COLUMNS =
            List.of("description", "quantity", "unit", "unit_price", "tax_code", "tax_rate");

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private InvoicePayload() {}

    /** The payload of an invoice, given the columns of all its lines. */
    static String write(List<List<String>> rows) {
        var invoice = JSON.createObjectNode();
        put(invoice, INVOICE_COLUMNS, rows.get(0));
        var lines = invoice.putArray("lines");
        for (List<String> row : rows) {
            put(lines.addObject(), LINE_COLUMNS, row.subList(INVOICE_COLUMNS.size(), row.size()));
        }
        return invoice.toString();
    }

    private static void put(ObjectNode object, List<String> names, List<String> values) {
        for (int i = 0; i < names.size(); i++) {
            object.put(names.get(i), values.get(i));
        }
    }

    /** The invoice that a payload describes. */
    static Invoice read(String payload) {
        JsonNode json = json(payload);
        String number = new PayloadFields("invoice payload", json).text("invoice_number");
        var fields = new PayloadFields("invoice \"%s\"".formatted(number), json);
        return new Invoice(number, terms(fields), party(fields, "seller"), party(fields, "customer"), lines(fields));
    }

    private static JsonNode json(String payload) {
        try {
            return JSON.readTree(payload);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "invoice payload is not JSON (%s); enqueue one JSON object per invoice"
                            .formatted(e.getOriginalMessage()),
                    e);
        }
    }

    private static Terms terms(PayloadFields fields) {
        var issued = fields.date("issue_date");
        var due = fields.date("due_date");
        if (due.isBefore(issued)) {
            throw fields.refused("due_date", due.toString(), "it cannot be before the issue_date %s".formatted(issued));
        }
        return new Terms(
                issued, due, fields.currency("currency"), fields.text("payment_account"), fields.language("language"));
    }

    private static Party party(PayloadFields fields, String role) {
        return new Party(
                fields.text(role + "_name"),
                fields.text(role + "_street"),
                fields.text(role + "_city"),
                fields.country(role + "_country"),
                fields.textOrEmpty(role + "_tax_id"));
    }

    private static List<Line> lines(PayloadFields fields) {
        var lines = new ArrayList<Line>();
        for (PayloadFields line : fields.each("lines")) {
            lines.add(new Line(
                    line.text("description"),
                    new Quantity(line.decimal("quantity"), line.text("unit")),
                    line.decimal("unit_price"),
                    line.tax("tax_code", "tax_rate")));
        }
        return lines;
    }
}
