package dev.dibs;

import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes results that need not be kept any more while a worker has nothing else to do: a few now and then, and more at its
 * next idle moment where there are more. For one thread.
 */
final class Upkeep {

    /** Few enough to keep a message that comes meanwhile from waiting. */
    static final int MOST_ROWS = 1_000;

    /** Results are kept for longer as a rule, so that nothing piles up meanwhile. */
    static final Duration PAUSE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    private final LongSupplier nanoTime;
    private final IntUnaryOperator purge;
    private long next;

    /**
     * The first time at the first idle moment, for a process that lives shorter than a pause is to do its part too.
     *
     * @param purge deletes at most so many, and answers how many
     */
    Upkeep(LongSupplier nanoTime, IntUnaryOperator purge) {
        this.nanoTime = nanoTime;
        this.purge = purge;
        this.next = nanoTime.getAsLong();
    }

    /** There is nothing else to do now. */
    void idle() {
        if (next - nanoTime.getAsLong() > 0) {
            return;
        }
        var purged = purged();
        if (purged < MOST_ROWS) {
            next = nanoTime.getAsLong() + PAUSE.toNanos();
        }
    }

    // The worker's own looks tell of a database that is away.
    private int purged() {
        try {
            return purge.applyAsInt(MOST_ROWS);
        } catch (RuntimeException | Error failed) {
            LOG.debug("results that need not be kept could not be purged; they are at the next time", failed);
            return 0;
        }
    }
}
