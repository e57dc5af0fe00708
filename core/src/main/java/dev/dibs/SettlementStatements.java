package dev.dibs;

import static org.jooq.impl.DSL.select;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.KeptTexts;
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
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Delete;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * The statements that end a claim, each guarded by what holds the row.
 *
 * <p>Each answers how many rows were written: fewer than were given means that some are no longer the claim's.
 *
 * @param dsl the transaction in which they are run
 * @param texts of those that are run most
 */
record SettlementStatements(DSLContext dsl, QueueRef queue, KeptTexts texts) {

    /** The earliest time that every type of column holds. */
    private static final Instant LONG_AGO = Instant.ofEpochSecond(1);

    /** Locks the rows that the claim still holds, where the database locks rows; answers their ids. */
    Set<Object> lock(Claimed rows) {
        var held = dsl.select(table().id()).from(table().table()).where(held(rows));
        return dsl.family() == SQLDialect.SQLITE
                ? held.fetchSet(table().id())
                : held.forUpdate().fetchSet(table().id());
    }

    /** The rows are marked as finished, or deleted where no column keeps it. */
    int finish(Claimed rows) {
        return table().has(Part.FINISHED_AT) ? update(rows, done()) : delete(rows);
    }

    /** The rows become due after the delay. */
    int tryAgain(Claimed rows, Duration delay, String error) {
        var changes = counted();
        putDue(changes, delay);
        putError(table(), changes, error);
        return update(rows, changes);
    }

    /**
     * The rows go back to their place, with the claim's attempt refunded.
     *
     * @param ranOut leaves a lease that has ended long ago, as that before this one had
     */
    int giveBack(Claimed rows, boolean ranOut) {
        var changes = refunded();
        times(Part.LEASED_UNTIL)
                .filter(until -> ranOut)
                .ifPresent(until -> changes.put(table().column(Part.LEASED_UNTIL), until.value(LONG_AGO)));
        return update(rows, changes);
    }

    /** The rows become due after the delay, with the claim's attempt refunded. */
    int passOn(Claimed rows, Duration delay) {
        var changes = refunded();
        putDue(changes, delay);
        return update(rows, changes);
    }

    private Map<Field<?>, Object> refunded() {
        var changes = released();
        table().find(Part.ATTEMPT)
                .filter(attempt -> isCountedByTheClaim())
                .ifPresent(attempt -> changes.put(attempt, attempt.minus(1)));
        return changes;
    }

    private void putDue(Map<Field<?>, Object> changes, Duration delay) {
        var now = queue.time().now();
        times(Part.DUE_AT).ifPresent(due -> changes.put(table().column(Part.DUE_AT), due.value(now, delay)));
    }

    /** The rows go where the table's dead messages go. */
    int bury(Claimed rows, String error) {
        var destination = table().destination();
        if (destination instanceof DeadLetters.OtherTable other) {
            return move(rows, other.table(), error);
        }
        if (destination instanceof DeadLetters.OtherQueue other) {
            var changes = counted();
            changes.put(table().column(Part.QUEUE), other.name());
            freeDedupKey(changes);
            putError(table(), changes, error);
            return update(rows, changes);
        }
        if (destination instanceof DeadLetters.InPlace) {
            var changes = counted();
            changes.putAll(finished(queue.time().now()));
            putError(table(), changes, error);
            return update(rows, changes);
        }
        throw new QueueException("%s: message %s cannot be dead-lettered, for the table has no place for dead messages;"
                        .formatted(queue, rows.rows().get(0).get(table().id()))
                + " map one with deadLetters(..), deadQueue(..), or finishedAt(..) and error(..)");
    }

    private int update(Claimed rows, Map<Field<?>, Object> changes) {
        if (changes.isEmpty()) { // a row lock on a table that keeps nothing: letting go is all that there is to do
            return rows.rows().size();
        }
        return dsl.update(table().table()).set(changes).where(held(rows)).execute();
    }

    private int delete(Claimed rows) {
        return given(rows)
                .map(given -> texts.execute(dsl, given.keySet(), given, () -> deletion(rows)))
                .orElseGet(() -> deletion(rows).execute());
    }

    private Delete<?> deletion(Claimed rows) {
        return dsl.deleteFrom(table().table()).where(held(rows));
    }

    // Copied first and deleted second, both guarded: when the delete finds nothing, the copy is rolled back with it.
    private int move(Claimed rows, QueueTable<?> dead, String error) {
        var copied = copies(dead, error);
        var written = dsl.insertInto(dead.table(), List.copyOf(copied.keySet()))
                .select(select(List.copyOf(copied.values()))
                        .from(table().table())
                        .where(held(rows)))
                .execute();
        if (delete(rows) != written) {
            throw new SomeLostException(); // between its copy and its deletion
        }
        return written;
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

    // In place an error tells the dead from the done, and that of a delivery before is no longer true.
    private Map<Field<?>, Object> done() {
        var changes = finished(queue.time().now());
        table().find(Part.ERROR).ifPresent(error -> changes.put(error, DSL.castNull(error)));
        return changes;
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

    private Condition held(Claimed rows) {
        return queue.in(dsl, ids(rows)).and(rows.hold().guard(rows.rows()));
    }

    // What they give to statements that are kept; empty if they have no common text.
    private Optional<Map<String, Object>> given(Claimed rows) {
        var ids = QueueRef.given(dsl, ids(rows));
        return rows.hold()
                .given()
                .flatMap(guard -> ids.map(id -> {
                    Map<String, Object> all = new HashMap<>(guard);
                    all.putAll(id);
                    return all;
                }));
    }

    private List<Object> ids(Claimed rows) {
        return rows.rows().stream().map(row -> row.get(table().id())).toList();
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
}
