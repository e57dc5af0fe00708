package dev.dibs.wake;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jooq.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The queues that have new messages when a transaction has committed. For the thread of the transaction.
 *
 * <p>It lives in the transaction's own configuration; one of a nested transaction hands over to the one around it.
 */
public final class PendingWakes {

    private final @Nullable PendingWakes around;
    private final Map<LongConsumer, Long> due = new HashMap<>();

    private PendingWakes(@Nullable PendingWakes around) {
        this.around = around;
    }

    /** Begins to collect those of a transaction that has this configuration. */
    public static PendingWakes begin(Configuration transaction) {
        var pending = new PendingWakes((PendingWakes) transaction.data(PendingWakes.class));
        transaction.data(PendingWakes.class, pending);
        return pending;
    }

    /** Those of the transaction that has this configuration; empty if nobody tells when it has committed. */
    public static Optional<PendingWakes> of(Configuration transaction) {
        return Optional.ofNullable((PendingWakes) transaction.data(PendingWakes.class));
    }

    /**
     * A message was written.
     *
     * @param wake has somebody look by a time of {@link System#nanoTime()}; the same object for all messages of a queue
     * @param time when it is due
     */
    public void add(LongConsumer wake, long time) {
        due.merge(wake, time, (one, other) -> one - other <= 0 ? one : other);
    }

    /** The transaction has committed: wakes, or leaves that to the transaction around it. */
    public void committed() {
        due.forEach((wake, time) -> {
            if (around == null) {
                wake.accept(time);
            } else {
                around.add(wake, time);
            }
        });
        due.clear();
    }
}
