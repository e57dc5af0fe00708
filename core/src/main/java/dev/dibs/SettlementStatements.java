package dev.dibs;

import static org.jooq.impl.DSL.select;

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
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;

/**
 * The statements that end a claim, each guarded by what holds the row.
 *
 * <p>Each answers whether it was written: one row means yes, none means that the row is no longer the claim's.
 *
 * @param dsl the transaction in which they are run
 */
record SettlementStatements(DSLContext dsl, QueueRef queue) {

    /** The row is marked as finished, or deleted where no column keeps it. */
    boolean finish(Held row) {
        return table().has(Part.FINISHED_AT) ? update(row, finished(queue.time().now())) : delete(row);
    }

    /** The row becomes due after the delay. */
    boolean tryAgain(Held row, Duration delay, String error) {
        var changes = counted();
        var now = queue.time().now();
        times(Part.DUE_AT).ifPresent(due -> changes.put(table().column(Part.DUE_AT), due.value(now, delay)));
        putError(table(), changes, error);
        return update(row, changes);
    }

    /** The row goes back to its place, with the claim's attempt refunded. */
    boolean giveBack(Held row) {
        var changes = released();
        table().find(Part.ATTEMPT)
                .filter(attempt -> isCountedByTheClaim())
                .ifPresent(attempt -> changes.put(attempt, attempt.minus(1)));
        return update(row, changes);
    }

    /** The row goes where the table's dead messages go. */
    boolean bury(Held row, String error) {
        var destination = table().destination();
        if (destination instanceof DeadLetters.OtherTable other) {
            return move(row, other.table(), error);
        }
        if (destination instanceof DeadLetters.OtherQueue other) {
            var changes = counted();
            changes.put(table().column(Part.QUEUE), other.name());
            freeDedupKey(changes);
            putError(table(), changes, error);
            return update(row, changes);
        }
        if (destination instanceof DeadLetters.InPlace) {
            var changes = finished(queue.time().now());
            putError(table(), changes, error);
            return update(row, changes);
        }
        throw new QueueException("%s: message %s cannot be dead-lettered, for the table has no place for dead messages;"
                        .formatted(queue, row.row().get(table().id()))
                + " map one with deadLetters(..), deadQueue(..), or finishedAt(..) and error(..)");
    }

    private boolean update(Held row, Map<Field<?>, Object> changes) {
        if (changes.isEmpty()) { // a row lock on a table that keeps nothing: letting go is all that there is to do
            return true;
        }
        return dsl.update(table().table()).set(changes).where(held(row)).execute() == 1;
    }

    private boolean delete(Held row) {
        return dsl.deleteFrom(table().table()).where(held(row)).execute() == 1;
    }

    // Copied first and deleted second, both guarded: when the delete finds nothing, the copy is rolled back with it.
    private boolean move(Held row, QueueTable<?> dead, String error) {
        var copied = copies(dead, error);
        dsl.insertInto(dead.table(), List.copyOf(copied.keySet()))
                .select(select(List.copyOf(copied.values()))
                        .from(table().table())
                        .where(held(row)))
                .execute();
        if (!delete(row)) {
            throw new LostException("the row was taken over between its copy and its deletion", null);
        }
        return true;
    }

    private Map<Field<?>, Field<?>> copies(QueueTable<?> dead, String error) {
        var copied = CommonColumns.of(table(), dead);
        dead.find(Part.ATTEMPT)
                .filter(attempt -> !isCountedByTheClaim() && table().has(Part.ATTEMPT))
                .ifPresent(attempt -> copied.put(attempt, RowColumns.next(table().column(Part.ATTEMPT))));
        dead.find(Part.ERROR).ifPresent(field -> copied.put(field, DSL.val(storable(field, error))));
        dead.find(Part.FINISHED_AT)
                .ifPresent(field -> copied.put(
                        field, TimeColumn.of(field).value(queue.time().now())));
        return copied;
    }

    private Map<Field<?>, Object> finished(Now now) {
        var changes = released();
        var finishedAt = table().column(Part.FINISHED_AT);
        changes.put(finishedAt, TimeColumn.of(finishedAt).value(now));
        freeDedupKey(changes);
        return changes;
    }

    // The key is unique among the unfinished: the next message may have it.
    private void freeDedupKey(Map<Field<?>, Object> changes) {
        table().find(Part.DEDUP_KEY).ifPresent(key -> changes.put(key, DSL.castNull(key)));
    }

    // The row lock form writes nothing when it claims, so the delivery is counted here.
    private Map<Field<?>, Object> counted() {
        var changes = released();
        if (!isCountedByTheClaim()) {
            table().find(Part.ATTEMPT).ifPresent(attempt -> changes.put(attempt, RowColumns.next(attempt)));
        }
        return changes;
    }

    private Map<Field<?>, Object> released() {
        var changes = new LinkedHashMap<Field<?>, Object>();
        times(Part.LEASED_UNTIL).ifPresent(until -> changes.put(table().column(Part.LEASED_UNTIL), until.none()));
        table().find(Part.LEASE_TOKEN).ifPresent(token -> changes.put(token, DSL.castNull(token)));
        return changes;
    }

    private static void putError(QueueTable<?> target, Map<Field<?>, Object> changes, String error) {
        target.find(Part.ERROR).ifPresent(field -> changes.put(field, storable(field, error)));
    }

    private static String storable(Field<Object> field, String error) {
        return ErrorText.storable(error, field.getDataType().length());
    }

    private Condition held(Held row) {
        return table().id().eq(row.row().get(table().id())).and(row.guard());
    }

    private boolean isCountedByTheClaim() {
        return table().lockForm() != LockForm.ROW_LOCK;
    }

    private QueueTable<?> table() {
        return queue.table();
    }

    private Optional<TimeColumn> times(Part part) {
        return queue.times(part);
    }

    /**
     * A row with what must be true of it while its claim holds.
     *
     * @param row as it was claimed
     */
    record Held(Record row, Condition guard) {}
}
