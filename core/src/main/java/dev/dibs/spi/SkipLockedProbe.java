package dev.dibs.spi;

import dev.dibs.table.QueueException;
import java.time.Duration;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Result;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether a row that one connection has locked is passed over by another.
 *
 * <p>Some databases parse {@code skip locked} and do not lock, or do not skip: two workers would hold one row. Only a row
 * that is there for both connections can tell, and Dibs writes none into a table for it. So the newest row is locked for
 * the time of one statement, the one that other workers would claim last, and nothing is written. In a table
 * that is empty, or whose newest row is in work, nothing is seen, and the next start looks again.
 */
public record SkipLockedProbe(TwoConnections connections) {

    /** Longer than any look at one row takes, shorter than a database waits for a lock. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(SkipLockedProbe.class);

    /** A probe of a queue's table. */
    public static SkipLockedProbe of(DSLContext dsl, QueueRef queue, JdbcTransaction transaction) {
        return new SkipLockedProbe(new TwoConnections(dsl, queue, transaction));
    }

    /** Refuses a database where a lock does not hold. */
    public void run() {
        connections.probe(this::look);
    }

    private void look(DSLContext holder, DSLContext other) {
        var held = newest(holder).filter(id -> locked(holder, id).isNotEmpty());
        held.ifPresentOrElse(
                id -> requirePassedOver(other, id), () -> LOG.debug("{}: no row to probe skip locked with", queue()));
    }

    private void requirePassedOver(DSLContext other, Object id) {
        try {
            if (locked(other, id).isNotEmpty()) {
                throw new QueueException(refusal("locked it too"));
            }
        } catch (DataAccessException waited) {
            throw new QueueException(refusal("could not pass over it (%s)".formatted(waited.getMessage())), waited);
        }
    }

    private String refusal(String seen) {
        return "%s: one connection locked a row with \"for update skip locked\", and another %s, so workers would hold the same rows or wait for each other; use a database server that keeps row locks, without a proxy that changes statements or spreads them over servers"
                .formatted(queue(), seen);
    }

    private Optional<Object> newest(DSLContext holder) {
        return holder.select(id())
                .from(queue().from())
                .orderBy(id().desc())
                .limit(1)
                .fetchOptional(id());
    }

    private Result<?> locked(DSLContext connection, Object id) {
        return connection
                .select(id())
                .from(queue().from())
                .where(id().eq(id))
                .forUpdate()
                .skipLocked()
                .queryTimeout(Math.toIntExact(PATIENCE.toSeconds()))
                .fetch();
    }

    private QueueRef queue() {
        return connections.queue();
    }

    private Field<Object> id() {
        return queue().table().id();
    }
}
