package dev.dibs.codegen;

import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.meta.ColumnDefinition;

/** Refuses a mapping whose columns do not make the stated lock form, or cannot play their parts. */
record MappingCheck(Mapping mapping) {

    private static final List<Part> NULL_AT_FIRST =
            List.of(Part.LEASED_UNTIL, Part.LEASE_TOKEN, Part.FINISHED_AT, Part.DEDUP_KEY, Part.HEADERS, Part.ERROR);

    /** Refuses it with the first reason that is found. */
    void run() {
        requireId();
        requireForm();
        mapping.columns().forEach(this::requireType);
        nullAtFirst().forEach(part -> mapping.find(part).ifPresent(column -> requireNullable(part, column)));
        mapping.find(Part.ORDER_KEY).ifPresent(this::requireOrder);
    }

    // A dead letter has died at a time and for a reason.
    private Stream<Part> nullAtFirst() {
        return NULL_AT_FIRST.stream()
                .filter(part -> mapping.form().isClaimed() || (part != Part.FINISHED_AT && part != Part.ERROR));
    }

    private void requireId() {
        var id = mapping.find(Part.ID);
        if (id.isEmpty()) {
            throw refused(
                    "no column plays the part id, for its primary key is not one column and none is named id; state id=..");
        }
        if (mayBeNull(id.get())) {
            throw refused(
                    "the column \"%s\" plays the part id and may be null, but a row without an id cannot be claimed; make it not null"
                            .formatted(id.get().getName()));
        }
    }

    // SQLite gives an integer primary key a value of its own, and lets every other key be null unless it is told not
    // to.
    private static boolean mayBeNull(ColumnDefinition id) {
        var isRowId = id.getPrimaryKey() != null && ColumnType.of(id).isSqliteInteger();
        return id.getType().isNullable() && !id.isIdentity() && !isRowId;
    }

    private void requireForm() {
        var leasedUntil = mapping.find(Part.LEASED_UNTIL);
        if (mapping.form() == TableForm.LEASE && leasedUntil.isEmpty()) {
            throw refused(
                    "the form lease is stated, but no column plays the part leasedUntil; add a nullable column leased_until, state leasedUntil=.., or state row-lock");
        }
        if (mapping.form() != TableForm.LEASE && leasedUntil.isPresent()) {
            throw refused(
                    "the form %s is stated, but the column \"%s\" plays the part leasedUntil, which makes it the lease form; state lease, or leasedUntil=%s"
                            .formatted(mapping.form(), leasedUntil.get().getName(), Statement.NONE));
        }
    }

    private void requireType(Part part, ColumnDefinition column) {
        var type = ColumnType.of(column);
        var demand = Demand.of(part);
        if (!demand.isMetBy(type)) {
            throw refused(
                    "the column \"%s\" is %s, and cannot play the part %s, which takes %s; alter it, or state another column with %s=.., or %s=%s for none"
                            .formatted(column.getName(), type, part, demand, part, part, Statement.NONE));
        }
    }

    private void requireNullable(Part part, ColumnDefinition column) {
        if (!column.getType().isNullable()) {
            throw refused(
                    "the column \"%s\" plays the part %s and is not null, but most rows have no value there; let it be null"
                            .formatted(column.getName(), part));
        }
    }

    private void requireOrder(ColumnDefinition orderKey) {
        if (mapping.form() == TableForm.ADVISORY) {
            throw refused(
                    "orderKey=%s is stated beside the form advisory, whose messages have no order; put the column into lockKey=.., or state another form"
                            .formatted(orderKey.getName()));
        }
        var type = ColumnType.of(mapping.id());
        if (!type.isReadAs(Long.class) && !type.isReadAs(Integer.class)) {
            throw refused(
                    "messages are to go in the order of their ids, but the id \"%s\" is %s; have an id of type bigint or int, or leave orderKey=%s out"
                            .formatted(mapping.id().getName(), type, orderKey.getName()));
        }
    }

    private QueueException refused(String why) {
        return new QueueException("table %s: %s".formatted(mapping.name(), why));
    }
}
