package dev.dibs.wake;

import org.jooq.TransactionContext;
import org.jooq.TransactionListener;

/**
 * Wakes workers when a transaction of jOOQ's has committed in which messages were enqueued. Safe for any thread.
 *
 * <p>jOOQ asks for it before a transaction begins: the application sets one where it makes its Configuration,
 * {@code configuration.set(new WakeAfterCommit())}. Nothing is woken by a rollback, nor by a nested transaction before the
 * one around it has committed.
 */
public final class WakeAfterCommit implements TransactionListener {

    /** A listener to be set in a Configuration. */
    public WakeAfterCommit() {}

    @Override
    public void beginEnd(TransactionContext transaction) {
        PendingWakes.begin(transaction.configuration());
    }

    @Override
    public void commitEnd(TransactionContext transaction) {
        PendingWakes.of(transaction.configuration()).ifPresent(PendingWakes::committed);
    }
}
