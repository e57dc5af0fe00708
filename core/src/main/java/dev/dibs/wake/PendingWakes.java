package dev.dibs.wake;

import dev.dibs.wake.WakeRegistry.Sleepers;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The queues that have new messages when a transaction has committed. For the thread of the transaction.
 *
 * <p>It lives in the transaction's own configuration; one of a nested transaction hands over to the one around it.
 */
public final class PendingWakes {

    private final @Nullable PendingWakes around;
    private final Map<Sleepers, Long> due = new ConcurrentHashMap<>();

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

    /** A message was written that is due by a time of {@link System#nanoTime()}. */
    public void add(Sleepers sleepers, long time) {
        due.merge(sleepers, time, (one, other) -> one - other <= 0 ? one : other);
    }

    /** The transaction has committed: wakes, or leaves that to the transaction around it. */
    public void committed() {
        due.forEach((sleepers, time) -> {
            if (around == null) {
                sleepers.wakeBy(time);
            } else {
                around.add(sleepers, time);
            }
        });
        due.clear();
    }
}
