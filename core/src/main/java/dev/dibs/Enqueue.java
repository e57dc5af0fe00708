package dev.dibs;

import dev.dibs.spi.BulkInsert;
import dev.dibs.spi.Dialect;
import dev.dibs.spi.HeadersColumn;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.Column;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;

/** Makes rows of messages and has them written, on the connection that it is given. Safe for any thread. */
final class Enqueue<T> {

    /** What a handler's claim writes, and no new message has. */
    private static final Set<Part> OF_CLAIMS =
            Set.of(Part.ATTEMPT, Part.LEASED_UNTIL, Part.LEASE_TOKEN, Part.FINISHED_AT, Part.ERROR);

    private final QueueRef queue;
    private final QueueTable<T> table;
    private final Dialect dialect;
    private final Inserts inserts;
    private final BulkInsert bulk;
    private final AtomicBoolean checked = new AtomicBoolean();

    Enqueue(QueueRef queue, QueueTable<T> table, Dialect dialect) {
        this.queue = queue;
        this.table = table;
        this.dialect = dialect;
        this.inserts = new Inserts(queue);
        this.bulk = dialect.bulkInsert();
    }

    Enqueued one(DSLContext dsl, Message<T> message) {
        return one(dsl, prepared(message));
    }

    Enqueued one(DSLContext dsl, NewRow<T> row) {
        return told(List.of(row.message()), () -> {
            check(dsl);
            return inserts.one(dsl, row.values());
        });
    }

    /** Answers how many messages there were, with those that were there before. */
    int all(DSLContext dsl, Collection<Message<T>> messages) {
        var due = dueTimes();
        return told(messages, () -> {
            check(dsl);
            var rows = messages.stream().map(message -> row(message, due)).toList();
            if (inserts.isKeyed(rows) || !bulk.insert(dsl, queue, rows)) {
                inserts.all(dsl, rows);
            }
            return messages.size();
        });
    }

    /** A message with its row, to be written later. */
    NewRow<T> prepared(Message<T> message) {
        var due = dueTimes();
        return told(List.of(message), () -> new NewRow<>(message, row(message, due)));
    }

    /** Writes messages that are not keyed, and tells of each. */
    List<Enqueued> each(DSLContext dsl, List<NewRow<T>> rows) {
        return told(rows.stream().map(NewRow::message).toList(), () -> {
            check(dsl);
            return new GroupInserts(inserts, queue)
                    .all(dsl, rows.stream().map(NewRow::values).toList());
        });
    }

    /** How many of the rows, from the first on, are few and short enough for one statement. */
    int fitting(List<NewRow<T>> rows) {
        return inserts.fitting(rows.stream().map(NewRow::values).toList());
    }

    /** Whether a message is to be there once, so that writing it may take more than one statement. */
    boolean isKeyed(Message<T> message) {
        return message.dedupKey().isPresent()
                || (table.isRowMode()
                        && table.find(Part.DEDUP_KEY).stream()
                                .anyMatch(key -> own(message).containsKey(key)));
    }

    // Once, with the first message: what an insert would do wrong in silence.
    private void check(DSLContext dsl) {
        if (!checked.get()) {
            dialect.checkEnqueue(dsl, queue);
            if (table.has(Part.DEDUP_KEY)) {
                new DedupCheck(queue).run(dsl);
            }
            checked.set(true);
        }
    }

    private Map<Field<?>, Object> row(Message<T> message, Optional<DueTimes> due) {
        var row = own(message);
        table.find(Part.QUEUE).ifPresent(column -> row.put(column, queue.name()));
        table.find(Part.ATTEMPT).ifPresent(column -> row.put(column, 0));
        putId(row);
        putPriority(row, message);
        putHeaders(row, message);
        putDedupKey(row, message);
        putOrderKey(row, message);
        if (!tellsItsDueTime(row)
                || message.dueAt().isPresent()
                || !message.delay().isZero()) {
            putDueTime(row, message, due);
        }
        return row;
    }

    // In row mode what the record has set: the queue's parts are laid over it, and what belongs to claims is left out.
    private Map<Field<?>, Object> own(Message<T> message) {
        var row = new LinkedHashMap<Field<?>, Object>();
        if (table.isRowMode()) {
            var record = (Record) message.payload();
            Stream.of(record.fields())
                    .filter(field -> isSet(record, field))
                    .forEach(field -> putOwn(row, record, field));
        } else {
            row.put(table.payload(), DSL.val(message.payload(), table.payload()));
        }
        return row;
    }

    private <F> void putOwn(Map<Field<?>, Object> row, Record record, Field<F> field) {
        var part = table.columns().stream()
                .filter(column -> column.field().getName().equals(field.getName()))
                .findFirst();
        if (part.isEmpty() || !OF_CLAIMS.contains(part.get().part())) {
            row.put(part.<Field<?>>map(Column::field).orElse(field), DSL.val(record.get(field), field));
        }
    }

    @SuppressWarnings("deprecation") // its other name came with jOOQ 3.20
    private static boolean isSet(Record record, Field<?> field) {
        return record.changed(field);
    }

    private boolean tellsItsDueTime(Map<Field<?>, Object> row) {
        return table.find(Part.DUE_AT).stream().anyMatch(row::containsKey);
    }

    private void putId(Map<Field<?>, Object> row) {
        table.ids().ifPresent(ids -> row.computeIfAbsent(table.id(), id -> ids.get()));
    }

    private void putHeaders(Map<Field<?>, Object> row, Message<T> message) {
        if (!message.headers().isEmpty()) {
            var column = table.find(Part.HEADERS).orElseThrow(() -> missing(Part.HEADERS, "has headers"));
            row.put(column, HeadersColumn.of(column).value(message.headers()));
        }
    }

    private void putDedupKey(Map<Field<?>, Object> row, Message<T> message) {
        message.dedupKey().ifPresent(key -> {
            var column = table.find(Part.DEDUP_KEY).orElseThrow(() -> missing(Part.DEDUP_KEY, "has a dedup key"));
            var longest = column.getDataType().length();
            if (longest > 0 && key.codePointCount(0, key.length()) > longest) {
                throw new QueueException(
                        "%s: the dedup key has %d characters, and its column %s holds %d; shorten \"%s\""
                                .formatted(queue, key.codePointCount(0, key.length()), column.getName(), longest, key));
            }
            row.put(column, key);
        });
    }

    private void putOrderKey(Map<Field<?>, Object> row, Message<T> message) {
        message.orderKey().ifPresent(key -> {
            var column = table.find(Part.ORDER_KEY).orElseThrow(() -> missing(Part.ORDER_KEY, "has an order key"));
            row.put(column, DSL.val(key, column));
        });
    }

    private void putPriority(Map<Field<?>, Object> row, Message<T> message) {
        message.priority().ifPresent(priority -> {
            var column = table.find(Part.PRIORITY).orElseThrow(() -> missing(Part.PRIORITY, "has a priority"));
            row.put(column, priority);
        });
    }

    private void putDueTime(Map<Field<?>, Object> row, Message<T> message, Optional<DueTimes> due) {
        if (due.isPresent()) {
            row.put(table.column(Part.DUE_AT), due.get().of(message));
        } else if (message.dueAt().isPresent() || !message.delay().isZero()) {
            throw missing(Part.DUE_AT, "is to be delayed");
        }
    }

    private Optional<DueTimes> dueTimes() {
        var now = queue.time().now();
        return table.find(Part.DUE_AT).map(column -> new DueTimes(column, now));
    }

    private QueueException missing(Part part, String wish) {
        return new QueueException("%s: the message %s, but no column plays the part %s; map one with %s(..)"
                .formatted(queue, wish, part, part));
    }

    private <R> R told(Collection<Message<T>> messages, Supplier<R> insert) {
        try {
            return insert.get();
        } catch (QueueException told) {
            throw told;
        } catch (RuntimeException refused) { // of the database, or of the payload's converter
            throw new QueueException(
                    "%s: a message was refused; make it fit the table, or roll back and try again%s: %s"
                            .formatted(queue, sizes(messages), refused.getMessage()),
                    refused);
        }
    }

    // A text that is too long for its column or its packet is the likeliest reason, and databases do not say how long.
    private static String sizes(Collection<? extends Message<?>> messages) {
        var longest = messages.stream()
                .map(Message::payload)
                .mapToInt(payload -> payload instanceof String text ? text.length() : 0)
                .max()
                .orElse(0);
        return longest == 0 ? "" : " (the longest payload has %,d characters)".formatted(longest);
    }
}
