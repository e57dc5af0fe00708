package dev.dibs.table;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * A table as a queue: which of its columns plays which {@link Part}.
 *
 * <p>Immutable, so it may be a constant and shared by threads; each setter returns a new mapping. Only the id is
 * required: without a payload the handler gets the whole row. What else is missing is a documented difference: no {@code finishedAt}, and settling deletes the
 * row; no {@code dueAt}, and nothing can be delayed; no {@code attempt}, and retries have no limit.
 *
 * @param <T> what the handler gets: the payload's Java type, which is the jOOQ field's type, or the table's record
 */
public final class QueueTable<T> {

    private final Table<?> table;
    private final Map<Part, Field<?>> parts;
    private final Settings settings;

    private QueueTable(Table<?> table, Map<Part, Field<?>> parts, Settings settings) {
        this.table = table;
        this.parts = parts;
        this.settings = settings;
        requireOneForm();
        requireOneOrder();
    }

    /**
     * A table whose rows are messages.
     *
     * @param table any jOOQ table, generated or named by hand
     * @param id identifies a row and ends the claim order; any comparable type
     * @param payload what the handler gets; a forced type or converter makes it any Java type
     */
    public static <T> QueueTable<T> of(Table<?> table, Field<?> id, Field<T> payload) {
        return QueueTable.<T>identifiedBy(table, id).with(Part.PAYLOAD, payload);
    }

    /**
     * A table whose rows are the payload themselves: the handler gets the table's record, as it was claimed.
     *
     * @param table a jOOQ table that describes its columns, a generated one as a rule
     * @param id identifies a row and ends the claim order; any comparable type
     */
    public static <R extends Record> QueueTable<R> of(Table<R> table, Field<?> id) {
        if (table.fields().length == 0) {
            throw new QueueException(
                    "table %s: its rows cannot be read whole, for its jOOQ table names no columns; use a generated table, or map a payload column"
                            .formatted(table));
        }
        return identifiedBy(table, id);
    }

    /**
     * The application gives the ids, one from this supplier for each message, instead of the database: for columns
     * without a default, and for ids other than an auto-increment number on MySQL, whose driver tells no others.
     */
    public QueueTable<T> ids(Supplier<?> giver) {
        return new QueueTable<>(table, parts, settings.ids(giver));
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

    /**
     * The nullable column with a key that is unique among a queue's unfinished rows: a message whose key is there is not
     * enqueued again.
     *
     * <p>The table needs a unique index on (queue, this column), or on this column alone where no column plays the part
     * queue. It may leave out the rows where this column is null. A message that is finished or dead gives up its key.
     */
    public QueueTable<T> dedupKey(Field<String> field) {
        return with(Part.DEDUP_KEY, field);
    }

    /** The column with the time when a row was inserted, which the database's default writes; dead letters keep it. */
    public QueueTable<T> createdAt(Field<?> field) {
        return with(Part.CREATED_AT, field);
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
        return new QueueTable<>(table, parts, settings.destination(new DeadLetters.OtherTable(dead)));
    }

    /** Dead messages go to another queue of this table. */
    public QueueTable<T> deadQueue(String name) {
        if (!has(Part.QUEUE)) {
            throw new QueueException(
                    "table %s: dead messages cannot go to queue \"%s\", for no column plays the part queue; map one with queue(..)"
                            .formatted(table, name));
        }
        requireName(name);
        return new QueueTable<>(table, parts, settings.destination(new DeadLetters.OtherQueue(name)));
    }

    /**
     * The columns whose values together are the key that a session lock holds while a message is in work; this chooses
     * {@link LockForm#ADVISORY}.
     *
     * <p>Rows with equal keys are in work one after the other. No column at all means one key for the whole table. The
     * database renders each value as text; null reads as an empty one.
     */
    public QueueTable<T> lockKey(Field<?>... columns) {
        List.of(columns).forEach(column -> requireOwnColumn("lockKey", column));
        return new QueueTable<>(table, parts, settings.lockKey(List.of(columns)));
    }

    /**
     * The column with a key whose messages are in work one at a time, in the order of their ids; a head that is to be
     * tried again blocks its key until then. Rows where it is null have no order.
     */
    public QueueTable<T> orderKey(Field<?> field) {
        return orderKey(field, OrderPolicy.BLOCK);
    }

    /** The same, with what becomes of a key whose head is not due. */
    public QueueTable<T> orderKey(Field<?> field, OrderPolicy policy) {
        requireCountingId();
        return with(Part.ORDER_KEY, field).ordered(policy);
    }

    /** The messages of each queue are in work one at a time, in the order of their ids, as if all had one order key. */
    public QueueTable<T> fifo(OrderPolicy policy) {
        requireCountingId();
        return ordered(policy);
    }

    /** Where it is kept which queues of this table are paused; without it none can be. */
    public QueueTable<T> pausedIn(PauseTable place) {
        return new QueueTable<>(table, parts, settings.pauses(place));
    }

    /** Where it is kept how messages of this table ended; without it none can be awaited. */
    public QueueTable<T> resultsIn(ResultTable place) {
        if (!place.messageId().getType().equals(id().getType())) {
            throw new QueueException(
                    "table %s: its ids are read as %s, and those of results in table %s as %s; give both columns one type"
                            .formatted(
                                    table,
                                    id().getType().getSimpleName(),
                                    place,
                                    place.messageId().getType().getSimpleName()));
        }
        return new QueueTable<>(table, parts, settings.results(place));
    }

    private QueueTable<T> ordered(OrderPolicy policy) {
        return new QueueTable<>(table, parts, settings.order(policy));
    }

    private void requireOneForm() {
        if (settings.lockKey() != null && has(Part.LEASED_UNTIL)) {
            throw new QueueException(
                    "table %s: both leasedUntil and lockKey are mapped, and a row is held in one form; leave one of them out"
                            .formatted(table));
        }
    }

    private void requireOneOrder() {
        if (settings.order() == null) {
            return;
        }
        if (settings.lockKey() != null) {
            throw new QueueException(
                    "table %s: orderKey or fifo is mapped beside lockKey, whose messages have no order; put the column into lockKey(..), or leave lockKey out to have the order"
                            .formatted(table));
        }
        if (!has(Part.ORDER_KEY) && has(Part.PRIORITY)) {
            throw new QueueException(
                    "table %s: fifo goes in the order of the ids, and the priority %s would have no effect; leave one of them out"
                            .formatted(table, column(Part.PRIORITY).getName()));
        }
    }

    // Ids that are drawn at random have no order that anybody meant.
    private void requireCountingId() {
        Class<?> type = id().getType();
        if (type != Long.class && type != Integer.class) {
            throw new QueueException(
                    "table %s: messages are to go in the order of their ids, but the id %s is read as %s; map an id of type bigint or int"
                            .formatted(table, id().getName(), type.getSimpleName()));
        }
    }

    /** How claimed rows of this table are held. */
    public LockForm lockForm() {
        if (settings.lockKey() != null) {
            return LockForm.ADVISORY;
        }
        return has(Part.LEASED_UNTIL) ? LockForm.LEASE : LockForm.ROW_LOCK;
    }

    /** The columns of the lock key, in the advisory form. */
    public Optional<List<Field<?>>> lockColumns() {
        return Optional.ofNullable(settings.lockKey());
    }

    /** Whether messages of one key go one at a time, in the order of their ids, and what a head that is not due does. */
    public Optional<OrderPolicy> order() {
        return Optional.ofNullable(settings.order());
    }

    /** Where it is kept which queues are paused. */
    public Optional<PauseTable> pauses() {
        return Optional.ofNullable(settings.beside().pauses());
    }

    /** Where it is kept how messages ended. */
    public Optional<ResultTable> results() {
        return Optional.ofNullable(settings.beside().results());
    }

    /** The jOOQ table. */
    public Table<?> table() {
        return table;
    }

    /** The column that identifies a row. */
    public Field<Object> id() {
        return column(Part.ID);
    }

    /**
     * The payload's column.
     *
     * @throws QueueException if the whole row is the payload
     */
    @SuppressWarnings("unchecked") // the only way to map the part is with a column of this type
    public Field<T> payload() {
        return (Field<T>) (Field<?>) column(Part.PAYLOAD);
    }

    /** Whether the handler gets the whole row, for no column plays the part payload. */
    public boolean isRowMode() {
        return !has(Part.PAYLOAD);
    }

    /** Who gives a new message its id, if it is not the database. */
    public Optional<Supplier<?>> ids() {
        return Optional.ofNullable(settings.ids());
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

    /** The columns that play no part, as far as the jOOQ table names them. */
    public List<Field<?>> unmapped() {
        return Arrays.stream(table.fields())
                .<Field<?>>map(field -> field)
                .filter(field -> parts.values().stream()
                        .noneMatch(mapped -> mapped.getName().equals(field.getName())))
                .toList();
    }

    /** Where messages go that are not to be tried again. */
    public DeadLetters destination() {
        var kept = has(Part.FINISHED_AT) && has(Part.ERROR);
        return settings.destination() instanceof DeadLetters.Nowhere && kept
                ? new DeadLetters.InPlace()
                : settings.destination();
    }

    /** The table's name as messages write it. */
    @Override
    public String toString() {
        return table.toString();
    }

    private static <T> QueueTable<T> identifiedBy(Table<?> table, Field<?> id) {
        if (!Comparable.class.isAssignableFrom(id.getType())) {
            throw new QueueException(
                    "table %s: the id %s is read as %s, which has no order; give the column a converter to a comparable type, such as UUID"
                            .formatted(table, id, id.getType().getSimpleName()));
        }
        return new QueueTable<T>(table, Map.of(), Settings.NONE).with(Part.ID, id);
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
        return new QueueTable<>(table, Collections.unmodifiableMap(next), settings);
    }

    private void requireOwnColumn(Object part, Field<?> field) {
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

    /** What is said of a table beside its columns. */
    private record Settings(
            DeadLetters destination,
            @Nullable Supplier<?> ids,
            @Nullable List<Field<?>> lockKey,
            @Nullable OrderPolicy order,
            Beside beside) {

        static final Settings NONE = new Settings(new DeadLetters.Nowhere(), null, null, null, new Beside(null, null));

        Settings destination(DeadLetters dead) {
            return new Settings(dead, ids, lockKey, order, beside);
        }

        Settings ids(Supplier<?> giver) {
            return new Settings(destination, giver, lockKey, order, beside);
        }

        Settings lockKey(List<Field<?>> columns) {
            return new Settings(destination, ids, columns, order, beside);
        }

        Settings order(OrderPolicy policy) {
            return new Settings(destination, ids, lockKey, policy, beside);
        }

        Settings pauses(PauseTable place) {
            return new Settings(destination, ids, lockKey, order, new Beside(place, beside.results));
        }

        Settings results(ResultTable place) {
            return new Settings(destination, ids, lockKey, order, new Beside(beside.pauses, place));
        }
    }

    /** Other tables that keep something of this one's queues. */
    private record Beside(
            @Nullable PauseTable pauses, @Nullable ResultTable results) {}
}
