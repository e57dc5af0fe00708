package dev.dibs;

import static org.jooq.impl.DSL.select;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.LostException;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.DeadLetters;
import dev.dibs.table.LockForm;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Now;
import dev.dibs.time.TimeColumn;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * The statements that end a claim, each guarded by what holds the row.
 *
 * <p>Each answers whether it was written: one row means yes, none means that the row is no longer the claim's.
 */
final class SettlementStatements {

    private final DSLContext dsl;
    private final QueueRef queue;
    private final QueueTable<?> table;

    SettlementStatements(DSLContext dsl, QueueRef queue) {
        this.dsl = dsl;
        this.queue = queue;
        this.table = queue.table();
    }

    /** The row is marked as finished, or deleted where no column keeps it. */
    boolean finish(Claimed row) {
        if (table.has(Part.FINISHED_AT)) {
            return update(row, finished(queue.time().now()));
        }
        return row.hold().settling().single(dsl, own -> delete(own, row)) == 1;
    }

    /** The row becomes due after the delay. */
    boolean tryAgain(Claimed row, Duration delay, String error) {
        return written(error, text -> returned(row, delay, text));
    }

    /** The row goes where the table's dead messages go. */
    boolean bury(Claimed row, String error) {
        return written(error, text -> buried(row, text));
    }

    // A column may refuse the text of an error: for its character set, or for a length that the mapping does not know.
    private static boolean written(String error, Predicate<String> write) {
        try {
            return write.test(error);
        } catch (DataAccessException refused) {
            var plain = ErrorText.plain(error);
            if (plain.equals(error)) {
                throw refused;
            }
            return write.test(plain);
        }
    }

    private boolean returned(Claimed row, Duration delay, String error) {
        var changes = counted();
        var now = queue.time().now();
        times(Part.DUE_AT).ifPresent(due -> changes.put(table.column(Part.DUE_AT), due.value(now, delay)));
        putError(table, changes, error);
        return update(row, changes);
    }

    /** The row goes back to its place, with the claim's attempt refunded. */
    boolean giveBack(Claimed row) {
        if (table.lockForm() == LockForm.ROW_LOCK) {
            row.hold().close();
            return true;
        }
        var changes = released();
        table.find(Part.ATTEMPT).ifPresent(attempt -> changes.put(attempt, attempt.minus(1)));
        return update(row, changes);
    }

    private boolean buried(Claimed row, String error) {
        var destination = table.destination();
        if (destination instanceof DeadLetters.OtherTable other) {
            return row.hold().settling().run(dsl, own -> move(own, row, other.table(), error));
        }
        if (destination instanceof DeadLetters.OtherQueue other) {
            var changes = counted();
            changes.put(table.column(Part.QUEUE), other.name());
            freeDedupKey(changes);
            putError(table, changes, error);
            return update(row, changes);
        }
        if (destination instanceof DeadLetters.InPlace) {
            var changes = finished(queue.time().now());
            putError(table, changes, error);
            return update(row, changes);
        }
        throw new QueueException("%s: message %s cannot be dead-lettered, for the table has no place for dead messages;"
                        .formatted(queue, row.row().get(table.id()))
                + " map one with deadLetters(..), deadQueue(..), or finishedAt(..) and error(..)");
    }

    private boolean update(Claimed row, Map<Field<?>, Object> changes) {
        if (changes.isEmpty()) { // a row lock on a table that keeps nothing: letting go is all that there is to do
            return row.hold().settling().single(dsl, own -> true);
        }
        return row.hold()
                        .settling()
                        .single(
                                dsl,
                                own -> own.update(table.table())
                                        .set(changes)
                                        .where(held(row))
                                        .execute())
                == 1;
    }

    private int delete(DSLContext own, Claimed row) {
        return own.deleteFrom(table.table()).where(held(row)).execute();
    }

    // Copied first and deleted second, both guarded: when the delete finds nothing, the copy is rolled back with it.
    private boolean move(DSLContext own, Claimed row, QueueTable<?> dead, String error) {
        var copied = copies(dead, error);
        own.insertInto(dead.table(), List.copyOf(copied.keySet()))
                .select(select(List.copyOf(copied.values())).from(table.table()).where(held(row)))
                .execute();
        if (delete(own, row) == 0) {
            throw new LostException("the row was taken over between its copy and its deletion", null);
        }
        return true;
    }

    private Map<Field<?>, Field<?>> copies(QueueTable<?> dead, String error) {
        var copied = new LinkedHashMap<Field<?>, Field<?>>();
        if (table.isRowMode()) { // the rest of the row is the message's content
            table.unmapped()
                    .forEach(original -> Optional.ofNullable(dead.table().field(original.getName()))
                            .ifPresent(copy -> copied.put(copy, original)));
        }
        for (var column : dead.columns()) {
            table.find(column.part()).ifPresent(original -> copied.put(column.field(), original));
        }
        dead.find(Part.ATTEMPT)
                .filter(attempt -> table.lockForm() == LockForm.ROW_LOCK && table.has(Part.ATTEMPT))
                .ifPresent(attempt -> copied.put(attempt, RowColumns.next(table.column(Part.ATTEMPT))));
        dead.find(Part.ERROR).ifPresent(field -> copied.put(field, DSL.val(storable(field, error))));
        dead.find(Part.FINISHED_AT)
                .ifPresent(field -> copied.put(
                        field, TimeColumn.of(field).value(queue.time().now())));
        return copied;
    }

    private Map<Field<?>, Object> finished(Now now) {
        var changes = released();
        var finishedAt = table.column(Part.FINISHED_AT);
        changes.put(finishedAt, TimeColumn.of(finishedAt).value(now));
        freeDedupKey(changes);
        return changes;
    }

    // The key is unique among the unfinished: the next message may have it.
    private void freeDedupKey(Map<Field<?>, Object> changes) {
        table.find(Part.DEDUP_KEY).ifPresent(key -> changes.put(key, DSL.castNull(key)));
    }

    // The row lock form writes nothing when it claims, so the delivery is counted here.
    private Map<Field<?>, Object> counted() {
        var changes = released();
        if (table.lockForm() == LockForm.ROW_LOCK) {
            table.find(Part.ATTEMPT).ifPresent(attempt -> changes.put(attempt, RowColumns.next(attempt)));
        }
        return changes;
    }

    private Map<Field<?>, Object> released() {
        var changes = new LinkedHashMap<Field<?>, Object>();
        times(Part.LEASED_UNTIL).ifPresent(until -> changes.put(table.column(Part.LEASED_UNTIL), until.none()));
        table.find(Part.LEASE_TOKEN).ifPresent(token -> changes.put(token, DSL.castNull(token)));
        return changes;
    }

    private static void putError(QueueTable<?> target, Map<Field<?>, Object> changes, String error) {
        target.find(Part.ERROR).ifPresent(field -> changes.put(field, storable(field, error)));
    }

    private static String storable(Field<Object> field, String error) {
        return ErrorText.storable(error, field.getDataType().length());
    }

    private Condition held(Claimed row) {
        return table.id().eq(row.row().get(table.id())).and(row.hold().guard());
    }

    private Optional<TimeColumn> times(Part part) {
        return queue.times(part);
    }
}
