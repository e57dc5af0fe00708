package dev.dibs.spi;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;

import dev.dibs.table.QueueException;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * Looks whether a session's locks on keys keep out other sessions, and stay with their session.
 *
 * <p>Some databases accept such locks and do not lock. A pooler that lends server connections by the transaction leaves
 * the lock with a connection that the next transaction of somebody else gets.
 */
public record KeyLocksProbe<K>(TwoConnections connections, KeyLocks<K> locks) {

    /** Refuses a database, or a way to it, on which the locks do not hold. */
    public void run() {
        try {
            var key = key();
            connections.probeSession(first -> locks.tryLock(first, key), (first, second) -> look(first, second, key));
        } catch (DataAccessException failed) {
            throw new QueueException(refusal("failed: " + failed.getMessage()), failed);
        }
    }

    private void look(DSLContext first, DSLContext second, K key) {
        var taken = locks.tryLock(second, key);
        if (taken) {
            locks.unlock(second, key);
        }
        var held = locks.unlock(first, key);
        if (taken || !held) {
            throw new QueueException(refusal(
                    taken ? "was taken by another connection too" : "was gone when its connection let go of it"));
        }
    }

    // A key of its own, which no other start and no row has.
    private K key() {
        var text = inline(UUID.randomUUID().toString());
        return connections
                .transaction()
                .single(
                        connections.dsl(),
                        own -> own.fetchSingle(select(locks.key(connections.queue(), text)))
                                .value1());
    }

    private String refusal(String seen) {
        return "%s: a lock that a session takes on a key does not hold here: it %s; connect to the server itself, or through a pooler that keeps a session on one server connection, or map leasedUntil(..) to use leases"
                .formatted(connections.queue(), seen);
    }
}
