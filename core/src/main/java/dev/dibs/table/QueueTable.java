package dev.dibs.table;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.Table;

/**
 * A table as a queue: which of its columns plays which {@link Part}.
 *
 * <p>Immutable, so it may be a constant and shared by threads; each setter returns a new mapping. Only the id and the
 * payload are required. What is missing is a documented difference: no {@code finishedAt}, and settling deletes the
 * row; no {@code dueAt}, and nothing can be delayed; no {@code attempt}, and retries have no limit.
 *
 * @param <T> the payload's Java type, which is the jOOQ field's type
 */
public final class QueueTable<T> {

    private final Table<?> table;
    private final Field<T> payload;
    private final Map<Part, Field<?>> parts;
    private final DeadLetters destination;

    private QueueTable(Table<?> table, Field<T> payload, Map<Part, Field<?>> parts, DeadLetters destination) {
        this.table = table;
        this.payload = payload;
        this.parts = parts;
        this.destination = destination;
    }

    /**
     * A table whose rows are messages.
     *
     * @param table any jOOQ table, generated or named by hand
     * @param id identifies a row and ends the claim order; any comparable type
     * @param payload what the handler gets; a forced type or converter makes it any Java type
     */
    public static <T> QueueTable<T> of(Table<?> table, Field<?> id, Field<T> payload) {
        return new QueueTable<>(table, payload, Map.of(), new DeadLetters.Nowhere())
                .with(Part.ID, id)
                .with(Part.PAYLOAD, payload);
    }

    /** The column with the queue's name, which lets one table hold many queues. */
    public QueueTable<T> queue(Field<String> field) {
        return with(Part.QUEUE, field);
    }

    /** The column that orders claims first; smaller values are claimed earlier. A row where it is null is not claimed. */
    public QueueTable<T> priority(Field<? extends Number> field) {
        return with(Part.PRIORITY, field);
    }

    /**
     * The column with the time before which a row is not claimed. A row where it is null is not claimed at all.
     *
     * <p>Times are held by a bigint of microseconds since 1970, a date and time with a zone or (in UTC) without one, or on
     * SQLite a text of UTC times; {@code dev.dibs.time.TimeFields} says what a column's type does not.
     */
    public QueueTable<T> dueAt(Field<?> field) {
        return with(Part.DUE_AT, field);
    }

    /** The column that counts claims; the first delivery reads 1. */
    public QueueTable<T> attempt(Field<? extends Number> field) {
        return with(Part.ATTEMPT, field);
    }

    /**
     * The nullable column with the end of a row's lease; it chooses {@link LockForm#LEASE}.
     *
     * <p>Of the same types as {@link #dueAt}. Without a {@link #leaseToken} it is the proof of who holds the lease, and
     * must tell microseconds.
     */
    public QueueTable<T> leasedUntil(Field<?> field) {
        return with(Part.LEASED_UNTIL, field);
    }

    /** The nullable bigint column with the proof of who holds the lease. */
    public QueueTable<T> leaseToken(Field<Long> field) {
        return with(Part.LEASE_TOKEN, field);
    }

    /** The nullable column with the time when a row was finished, which keeps finished rows; of the types of {@link #dueAt}. */
    public QueueTable<T> finishedAt(Field<?> field) {
        return with(Part.FINISHED_AT, field);
    }

    /** The nullable column with a message's headers, one JSON object of strings. */
    public QueueTable<T> headers(Field<?> field) {
        return with(Part.HEADERS, field);
    }

    /** The nullable column with the text of the last failure. */
    public QueueTable<T> error(Field<String> field) {
        return with(Part.ERROR, field);
    }

    /** Dead messages go to this table: of its parts those are copied that this table has too. */
    public QueueTable<T> deadLetters(QueueTable<?> dead) {
        if (dead.table().equals(table)) {
            throw new QueueException(
                    "table %s: its dead messages cannot go to itself, where they would be claimed again; map a second table, or use deadQueue(..)"
                            .formatted(table));
        }
        return new QueueTable<>(table, payload, parts, new DeadLetters.OtherTable(dead));
    }

    /** Dead messages go to another queue of this table. */
    public QueueTable<T> deadQueue(String name) {
        if (!has(Part.QUEUE)) {
            throw new QueueException(
                    "table %s: dead messages cannot go to queue \"%s\", for no column plays the part queue; map one with queue(..)"
                            .formatted(table, name));
        }
        requireName(name);
        return new QueueTable<>(table, payload, parts, new DeadLetters.OtherQueue(name));
    }

    /** How claimed rows of this table are held. */
    public LockForm lockForm() {
        return has(Part.LEASED_UNTIL) ? LockForm.LEASE : LockForm.ROW_LOCK;
    }

    /** The jOOQ table. */
    public Table<?> table() {
        return table;
    }

    /** The column that identifies a row. */
    public Field<Object> id() {
        return column(Part.ID);
    }

    /** The payload's column. */
    public Field<T> payload() {
        return payload;
    }

    /** Whether a column plays this part. */
    public boolean has(Part part) {
        return parts.containsKey(part);
    }

    /** The column that plays this part, if one does. */
    public Optional<Field<Object>> find(Part part) {
        return has(part) ? Optional.of(column(part)) : Optional.empty();
    }

    /**
     * The column that plays this part.
     *
     * @throws QueueException if none does
     */
    @SuppressWarnings("unchecked") // statements bind and read the column through its own data type
    public Field<Object> column(Part part) {
        var field = parts.get(part);
        if (field == null) {
            throw new QueueException(
                    "table %s: no column plays the part %s; map one with %s(..)".formatted(table, part, part));
        }
        return (Field<Object>) field;
    }

    /** All mapped columns, in the order of {@link Part}. */
    public List<Column> columns() {
        return parts.entrySet().stream()
                .map(entry -> new Column(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Where messages go that are not to be tried again. */
    public DeadLetters destination() {
        var kept = has(Part.FINISHED_AT) && has(Part.ERROR);
        return destination instanceof DeadLetters.Nowhere && kept ? new DeadLetters.InPlace() : destination;
    }

    /** The table's name as messages write it. */
    @Override
    public String toString() {
        return table.toString();
    }

    private void requireName(String dead) {
        var longest = column(Part.QUEUE).getDataType().length();
        if (dead.isBlank() || (longest > 0 && dead.codePointCount(0, dead.length()) > longest)) {
            throw new QueueException(
                    "table %s: dead messages cannot go to queue \"%s\"; give it a name that is not blank and fits its column %s"
                            .formatted(table, dead, column(Part.QUEUE)));
        }
    }

    private QueueTable<T> with(Part part, Field<?> field) {
        requireOwnColumn(part, field);
        requireOnePart(part, field);
        var next = new EnumMap<Part, Field<?>>(Part.class);
        next.putAll(parts);
        next.put(part, field);
        return new QueueTable<>(table, payload, Collections.unmodifiableMap(next), destination);
    }

    private void requireOwnColumn(Part part, Field<?> field) {
        var described = table.fields().length > 0;
        if (described && (table.field(field) == null || isOfAnotherTable(field))) {
            throw new QueueException(
                    "table %s: the part %s was given the column %s, which this table does not have; its columns are %s"
                            .formatted(table, part, field, List.of(table.fields())));
        }
    }

    // jOOQ finds a column of another table by its name alone.
    private boolean isOfAnotherTable(Field<?> field) {
        var qualifier = field.getQualifiedName().qualifier();
        return qualifier != null && !table.getName().equals(qualifier.last());
    }

    private void requireOnePart(Part part, Field<?> field) {
        parts.forEach((other, taken) -> {
            if (other != part && taken.equals(field)) {
                throw new QueueException("table %s: the column %s plays the part %s and cannot play %s too"
                        .formatted(table, field, other, part));
            }
        });
    }
}
