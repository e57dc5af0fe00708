package dev.dibs;

import java.time.Duration;

/**
 * How many rows are to wait in a worker for its handlers: what these start within a while, judged by what they started
 * lately, and no more than the limit.
 *
 * <p>So quick handlers never wait for a claim, and slow ones do not keep rows from other instances. For one thread.
 */
final class Prefetch {

    /** Several claims long, and short enough that nobody minds who handles a message. */
    static final Duration AHEAD = Duration.ofMillis(100);

    /** Starts of each handler that tell its speed, before the while is over. */
    private static final int ENOUGH = 4;

    private final int limit;
    private final int concurrency;
    private long since;
    private long startedBefore;
    private int rows;

    Prefetch(int limit, int concurrency, long now) {
        this.limit = limit;
        this.concurrency = concurrency;
        this.since = now;
    }

    /**
     * The number of rows.
     *
     * @param started how many rows the handlers have started since the worker began
     * @param now by {@link System#nanoTime()}
     */
    int rows(long started, long now) {
        var starts = started - startedBefore;
        var elapsed = Math.max(1, now - since);
        if (elapsed >= AHEAD.toNanos() || starts >= (long) ENOUGH * concurrency) {
            var ahead = starts * ((double) AHEAD.toNanos() / elapsed);
            rows = (int) Math.max(0, Math.min(limit, ahead - concurrency)); // one for each handler is no time ahead
            startedBefore = started;
            since = now;
        }
        return rows;
    }
}
