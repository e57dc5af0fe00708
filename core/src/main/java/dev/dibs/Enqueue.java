package dev.dibs;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Now;
import dev.dibs.time.TimeColumn;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Writes messages as rows, on the connection that it is given. */
final class Enqueue<T> {

    /** Rows of one insert: few enough for every database's limit on parameters. */
    private static final int ROWS_PER_INSERT = 500;

    private final QueueRef queue;
    private final QueueTable<T> table;

    Enqueue(QueueRef queue, QueueTable<T> table) {
        this.queue = queue;
        this.table = table;
    }

    Receipt one(DSLContext dsl, Message<T> message) {
        return told(() -> new Receipt(dsl.insertInto(table.table())
                .set(row(message, queue.time().now()))
                .returningResult(table.id())
                .fetchSingle()
                .value1()));
    }

    int all(DSLContext dsl, Collection<Message<T>> messages) {
        var now = queue.time().now();
        var rows =
                told(() -> messages.stream().map(message -> row(message, now)).toList());
        var written = 0;
        for (int from = 0; from < rows.size(); from += ROWS_PER_INSERT) {
            var chunk = rows.subList(from, Math.min(rows.size(), from + ROWS_PER_INSERT));
            written += told(() -> insert(dsl, chunk));
        }
        return written;
    }

    private int insert(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        var columns =
                rows.stream().flatMap(row -> row.keySet().stream()).distinct().toList();
        var insert = dsl.insertInto(table.table(), columns);
        for (var row : rows) {
            insert = insert.values(columns.stream()
                    .map(column -> row.getOrDefault(column, DSL.defaultValue(column)))
                    .toList());
        }
        return insert.execute();
    }

    private Map<Field<?>, Object> row(Message<T> message, Now now) {
        var row = new LinkedHashMap<Field<?>, Object>();
        row.put(table.payload(), DSL.val(message.payload(), table.payload()));
        table.find(Part.QUEUE).ifPresent(column -> row.put(column, queue.name()));
        table.find(Part.ATTEMPT).ifPresent(column -> row.put(column, 0));
        putPriority(row, message);
        putDueTime(row, message, now);
        return row;
    }

    private void putPriority(Map<Field<?>, Object> row, Message<T> message) {
        message.priority().ifPresent(priority -> {
            var column = table.find(Part.PRIORITY).orElseThrow(() -> missing(Part.PRIORITY, "has a priority"));
            row.put(column, priority);
        });
    }

    private void putDueTime(Map<Field<?>, Object> row, Message<T> message, Now now) {
        var column = table.find(Part.DUE_AT);
        if (column.isPresent()) {
            var due = TimeColumn.of(column.get());
            row.put(column.get(), message.dueAt().map(due::value).orElseGet(() -> due.value(now, message.delay())));
        } else if (message.dueAt().isPresent() || !message.delay().isZero()) {
            throw missing(Part.DUE_AT, "is to be delayed");
        }
    }

    private QueueException missing(Part part, String wish) {
        return new QueueException("%s: the message %s, but no column plays the part %s; map one with %s(..)"
                .formatted(queue, wish, part, part));
    }

    private <R> R told(Supplier<R> insert) {
        try {
            return insert.get();
        } catch (QueueException told) {
            throw told;
        } catch (RuntimeException refused) { // of the database, or of the payload's converter
            throw new QueueException(
                    "%s: a message was refused; make it fit the table, or roll back and try again: %s"
                            .formatted(queue, refused.getMessage()),
                    refused);
        }
    }
}
