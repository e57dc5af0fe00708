package dev.dibs;

import dev.dibs.spi.Claimed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jooq.DSLContext;

/** Extends the leases of rows in hand, half-way through them. For one thread, the one that settles them. */
final class LeaseKeeper {

    /** Tries within the second half of a lease, at least. */
    private static final int TRIES = 4;

    private final InHand inHand;
    private final DSLContext dsl;
    private final Duration soon;
    private final Backoff backoff;

    LeaseKeeper(InHand inHand, DSLContext dsl) {
        this.inHand = inHand;
        this.dsl = dsl;
        this.soon = inHand.interval().dividedBy(TRIES);
        this.backoff = new Backoff(soon);
    }

    /** How long it takes until a lease is to be extended, or extended again after a failure, in nanoseconds. */
    long untilDue(long now) {
        return Math.max(inHand.untilDue(now), backoff.left(now));
    }

    /**
     * Extends the leases that are due.
     *
     * @throws RuntimeException if one could not be; then it and those after it are tried again soon
     */
    void keep(long now) {
        var due = new ArrayDeque<>(inHand.due(now));
        try {
            while (!due.isEmpty()) {
                extend(due.element(), now);
                due.remove();
            }
            backoff.reset();
        } finally {
            if (!due.isEmpty()) {
                dueAgain(due, now);
            }
        }
    }

    private void extend(Claimed claimed, long now) {
        if (!claimed.hold().extend(dsl, claimed.rows())) {
            inHand.dueAgain(claimed.hold(), now + soon.toNanos());
        }
    }

    private void dueAgain(Queue<Claimed> due, long now) {
        due.forEach(claimed -> inHand.dueAgain(claimed.hold(), now));
        backoff.failed(System.nanoTime());
    }
}
