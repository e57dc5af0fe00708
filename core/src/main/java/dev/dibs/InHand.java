package dev.dibs;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.Hold;
import dev.dibs.spi.RowColumns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.Record;

/**
 * The leased rows of a worker that are not settled yet, by the claim that holds them. Safe for any thread.
 *
 * <p>Times are those of {@link System#nanoTime()}.
 */
final class InHand {

    private final RowColumns<?> columns;
    private final Duration interval;
    private final long maxHandling;
    private final Map<Hold, Kept> claims = new ConcurrentHashMap<>();

    /**
     * Nothing in hand yet.
     *
     * @param interval how long after a claim it is due to be kept
     * @param maxHandling how long a handler may take for its rows to be kept
     */
    InHand(RowColumns<?> columns, Duration interval, Duration maxHandling) {
        this.columns = columns;
        this.interval = interval;
        this.maxHandling = maxHandling.toNanos();
    }

    /** How long after a claim, and after each time that it was kept, it is due to be kept. */
    Duration interval() {
        return interval;
    }

    void take(Claimed claimed, long now) {
        var kept = new Kept(now + interval.toNanos());
        claimed.rows().forEach(row -> kept.rows.put(columns.id(row), new Row(row, false, now)));
        claims.put(claimed.hold(), kept);
    }

    /** Rows have been given to a handler. */
    void started(Claimed claimed, long now) {
        var kept = claims.get(claimed.hold());
        if (kept != null) {
            claimed.rows()
                    .forEach(row ->
                            kept.rows.computeIfPresent(columns.id(row), (id, waiting) -> new Row(row, true, now)));
        }
    }

    /**
     * A row is settled, or lost.
     *
     * @return whether a handler had it
     */
    boolean letGo(Hold hold, Record row) {
        var kept = claims.get(hold);
        var was = kept == null ? null : kept.rows.remove(columns.id(row));
        claims.computeIfPresent(hold, (key, present) -> present.rows.isEmpty() ? null : present);
        return was != null && was.isStarted;
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    /** How long it takes until a claim is due to be kept, in nanoseconds; one that took long and comes meanwhile may be sooner. */
    long untilDue(long now) {
        return claims.values().stream()
                .mapToLong(kept -> Math.max(0, kept.due - now))
                .reduce(interval.toNanos(), Math::min);
    }

    /** The claims that are due to be kept, with the rows that are to be; they are due again after the interval. */
    List<Claimed> due(long now) {
        var due = new ArrayList<Claimed>();
        claims.forEach((hold, kept) -> {
            if (kept.due - now <= 0) {
                kept.due = now + interval.toNanos();
                var rows = kept.rows(now - maxHandling);
                if (!rows.isEmpty()) {
                    due.add(new Claimed(rows, hold));
                }
            }
        });
        return due;
    }

    /** A claim could not be kept: it is due again sooner. */
    void dueAgain(Hold hold, long at) {
        var kept = claims.get(hold);
        if (kept != null) {
            kept.due = at;
        }
    }

    /** The rows of one claim. */
    private static final class Kept {

        private final Map<Object, Row> rows = new ConcurrentHashMap<>();
        private volatile long due;

        Kept(long due) {
            this.due = due;
        }

        List<Record> rows(long notBefore) {
            return rows.values().stream()
                    .filter(row -> !row.isStarted || row.since - notBefore > 0)
                    .map(Row::row)
                    .toList();
        }
    }

    /** A row, and since when a handler has it, or it waits for one. */
    private record Row(Record row, boolean isStarted, long since) {}
}
