package dev.dibs;

import dev.dibs.spi.SkipLocked;
import dev.dibs.table.QueueTable;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Goes over rows by ascending ids, in small transactions, and waits for nobody; for a single row that somebody holds, half
 * a second.
 *
 * <p>Ids are read without a lock first, for a statement that locks while it looks would lock what it passes over on
 * MySQL. Those of them that others hold, and those that are of the condition no more, are left out. Rows that come to
 * fulfil the condition meanwhile are not gone after.
 *
 * @param rows of which the condition is true
 */
record Sweep(Queue<?> queue, QueueTable<?> table, Condition rows) {

    /** A claim looks for milliseconds, on a busy machine for more; who is at work on a row takes longer. */
    private static final List<Duration> PAUSES =
            Stream.of(5L, 20L, 75L, 400L).map(Duration::ofMillis).toList();

    /** Deletes them all, in transactions of so many, and answers how many there were. */
    int delete(int most) {
        return all(most, this::deleted).stream().mapToInt(Integer::intValue).sum();
    }

    /** Deletes some of them, at most so many, in one transaction of this connection, and answers how many. */
    int deleteSome(DSLContext dsl, int most) {
        return queue.dialect()
                .transaction()
                .run(dsl, own -> batch(own, DSL.noCondition(), most, this::deleted))
                .flatMap(Batch::result)
                .orElse(0);
    }

    /** The statement that deletes rows which {@link #all} or {@link #one} has locked. */
    int deleted(DSLContext own, List<Object> ids) {
        return own.deleteFrom(table.table()).where(id().in(ids)).execute();
    }

    /** Writes one row, if it is there and free, or soon is: claims hold for a moment what they only look at. */
    <R> Optional<R> one(Object id, BiFunction<DSLContext, List<Object>, R> write) {
        var pauses = PAUSES.iterator();
        var written = oneIfFree(id, write);
        while (written.isEmpty() && pauses.hasNext() && isThere(id) && pause(pauses.next())) {
            written = oneIfFree(id, write);
        }
        return written;
    }

    private <R> Optional<R> oneIfFree(Object id, BiFunction<DSLContext, List<Object>, R> write) {
        return inTransaction(own -> Optional.of(free(own, List.of(id)))
                .filter(ids -> !ids.isEmpty())
                .map(ids -> write.apply(own, ids)));
    }

    private boolean isThere(Object id) {
        return queue.dialect()
                .transaction()
                .single(
                        queue.dsl(),
                        own -> own.fetchExists(table.table(), id().eq(id).and(rows)));
    }

    // Whether it was not cut short by an interrupt, which is the caller's.
    private static boolean pause(Duration time) {
        try {
            new Signal().await(time);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Writes them all, in transactions of so many, and answers what each did. */
    <R> List<R> all(int most, BiFunction<DSLContext, List<Object>, R> write) {
        var results = new ArrayList<R>();
        var bounds = queue.dialect().transaction().single(queue.dsl(), this::bounds);
        var rest = bounds.count();
        for (Object after = null; rest > 0; ) {
            var range = between(after, bounds.last());
            var limit = Math.min(most, rest);
            var batch = inTransaction(own -> batch(own, range, limit, write));
            if (batch.isEmpty()) {
                break;
            }
            batch.get().result().ifPresent(results::add);
            after = batch.get().last();
            rest -= batch.get().seen();
        }
        return results;
    }

    private <R> Optional<Batch<R>> batch(
            DSLContext own, Condition range, int limit, BiFunction<DSLContext, List<Object>, R> write) {
        var seen = own.select(id())
                .from(table.table())
                .where(rows)
                .and(range)
                .orderBy(id())
                .limit(limit)
                .fetch(id());
        if (seen.isEmpty()) {
            return Optional.empty();
        }
        var free = free(own, seen);
        Optional<R> result = free.isEmpty() ? Optional.empty() : Optional.of(write.apply(own, free));
        return Optional.of(new Batch<>(seen.size(), seen.get(seen.size() - 1), result));
    }

    private List<Object> free(DSLContext own, List<Object> ids) {
        var select = own.select(id())
                .from(table.table())
                .where(id().in(ids))
                .and(rows)
                .orderBy(id());
        return SkipLocked.locked(own, select).getValues(id());
    }

    // Where ids are random, the number bounds the work, and the last id where they grow.
    private Bounds bounds(DSLContext own) {
        var last = own.select(id())
                .from(table.table())
                .where(rows)
                .orderBy(id().desc())
                .limit(1)
                .fetchOne(id());
        return new Bounds(last, last == null ? 0 : own.fetchCount(table.table(), rows));
    }

    private Condition between(@Nullable Object after, @Nullable Object last) {
        return (after == null ? DSL.noCondition() : id().gt(after)).and(id().le(last));
    }

    private <R> R inTransaction(Function<DSLContext, R> work) {
        return new Again(queue.ref()).run(() -> queue.dialect().transaction().run(queue.dsl(), work));
    }

    private Field<Object> id() {
        return table.id();
    }

    /** What was there at the beginning: how many rows, and the last of their ids. */
    private record Bounds(@Nullable Object last, int count) {}

    /** What a transaction saw and did. */
    private record Batch<R>(int seen, Object last, Optional<R> result) {}
}
