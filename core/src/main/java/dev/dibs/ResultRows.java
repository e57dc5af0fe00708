package dev.dibs;

import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.val;

import dev.dibs.Result.Kind;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import dev.dibs.table.ResultTable;
import dev.dibs.time.TimeColumn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.InsertValuesStepN;
import org.jooq.Record3;
import org.jooq.RowCountQuery;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** The rows that tell how messages of a queue ended, where its mapping keeps them. */
record ResultRows(QueueRef queue, ResultTable place) {

    /** Few enough for every database's limit on parameters, and for one packet if all have the longest value. */
    private static final int ROWS_PER_INSERT = 100;

    /** As many ids as one look compares. */
    private static final int IDS_PER_SELECT = 500;

    /** Where the results of a queue's messages are, if they are kept. */
    static Optional<ResultRows> of(QueueRef queue) {
        return queue.table().results().map(place -> new ResultRows(queue, place));
    }

    /** Refuses columns for times that hold none, or that the database does not have. */
    void requireTimes(SQLDialect family) {
        try {
            Stream.concat(Stream.of(place.expiresAt()), place.endedWhen().stream())
                    .forEach(column -> TimeColumn.of(column).requireServed(family));
        } catch (IllegalArgumentException refused) {
            throw new QueueException(
                    "%s: in table %s of results: %s".formatted(queue, place, refused.getMessage()), refused);
        }
    }

    /** Refuses, before a worker starts, a table that would refuse what settlements write. */
    boolean check(DSLContext own) {
        try {
            explain(own, write(own, List.of(new Ended(null, new Result(Kind.DONE, Optional.empty())))));
            return true;
        } catch (DataAccessException refused) {
            throw new QueueException(
                    "%s: results cannot be written to %s in table %s; create them, with a primary key or unique index on %s, grant them to this user, or leave resultsIn(..) out (%s)"
                            .formatted(
                                    queue,
                                    columns().stream().map(Field::getName).toList(),
                                    place,
                                    place.messageId().getName(),
                                    refused.getMessage()),
                    refused);
        }
    }

    // Planned and not run. By hand, for jOOQ wants columns of the plan that MySQL gives no more since its plans are
    // trees.
    private static void explain(DSLContext own, RowCountQuery write) {
        own.fetch("explain {0}", write);
    }

    /** Writes how messages ended, over what is there from an end before, in the transaction that ends them. */
    void write(DSLContext own, Collection<Ending> endings) {
        var ended = endings.stream()
                .flatMap(ending -> ending.fate().result().stream()
                        .map(result -> new Ended(ending.settling().id(), result)))
                .toList();
        for (int from = 0; from < ended.size(); from += ROWS_PER_INSERT) {
            write(own, ended.subList(from, Math.min(from + ROWS_PER_INSERT, ended.size())))
                    .execute();
        }
    }

    private RowCountQuery write(DSLContext own, List<Ended> ended) {
        var columns = columns();
        InsertValuesStepN<?> insert = own.insertInto(place.table(), columns);
        for (var each : ended) {
            insert = insert.values(values(each));
        }
        var changes = new LinkedHashMap<Field<?>, Field<?>>();
        columns.stream()
                .filter(column -> !column.equals(place.messageId()))
                .forEach(column -> changes.put(column, excluded(column)));
        return insert.onConflict(place.messageId()).doUpdate().set(changes);
    }

    private List<Field<?>> columns() {
        return Stream.concat(
                        Stream.of(place.messageId(), place.outcome(), place.value(), place.expiresAt()),
                        place.endedWhen().stream())
                .<Field<?>>map(column -> column)
                .toList();
    }

    private List<Field<?>> values(Ended ended) {
        var now = queue.time().now();
        var values = new ArrayList<Field<?>>();
        values.add(val(ended.id(), place.messageId()));
        values.add(val(ended.result().outcome().text(), place.outcome()));
        values.add(val(ended.result().value().orElse(null), place.value()));
        values.add(TimeColumn.of(place.expiresAt()).value(now, place.keepFor()));
        place.endedWhen().ifPresent(column -> values.add(TimeColumn.of(column).value(now)));
        return values;
    }

    /** The results of those among these messages that have ended and are still kept. */
    Map<Object, Result> of(DSLContext own, List<Object> ids) {
        var results = new HashMap<Object, Result>();
        for (int from = 0; from < ids.size(); from += IDS_PER_SELECT) {
            var some = ids.subList(from, Math.min(from + IDS_PER_SELECT, ids.size()));
            own.select(place.messageId(), place.outcome(), place.value())
                    .from(place.table())
                    .where(QueueRef.in(own, place.messageId(), some))
                    .and(expired().not())
                    .forEach(row -> read(row).ifPresent(result -> results.put(row.value1(), result)));
        }
        return results;
    }

    /** These messages have not ended any more. */
    void forget(DSLContext own, List<Object> ids) {
        own.deleteFrom(place.table())
                .where(QueueRef.in(own, place.messageId(), ids))
                .execute();
    }

    // What another version has written and this one does not know has not ended, as far as this one is concerned.
    private static Optional<Result> read(Record3<Object, String, String> row) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.text().equals(row.value2()))
                .findFirst()
                .map(kind -> new Result(kind, Optional.ofNullable(row.value3())));
    }

    /** True of rows that need not be kept any more. */
    Condition expired() {
        return TimeColumn.of(place.expiresAt()).reached(queue.time().now());
    }

    /** How a message ended. */
    private record Ended(@Nullable Object id, Result result) {}
}
