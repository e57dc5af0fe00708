package dev.dibs.spi;

import dev.dibs.time.Now;
import java.time.Duration;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * What a worker asks for.
 *
 * @param dsl where to claim; the claim takes and gives back its own connections
 * @param queue the queue
 * @param limit the most rows to claim; at least one
 * @param lease how long the rows are to be held, in the lease form
 * @param only a condition that the rows fulfil beside being ready
 */
public record ClaimRequest(DSLContext dsl, QueueRef queue, int limit, Duration lease, Condition only) {

    /** Any rows of the queue that are ready. */
    public static ClaimRequest of(DSLContext dsl, QueueRef queue, int limit, Duration lease) {
        return new ClaimRequest(dsl, queue, limit, lease, DSL.noCondition());
    }

    /** The same request for another number of rows. */
    public ClaimRequest limit(int rows) {
        return new ClaimRequest(dsl, queue, rows, lease, only);
    }

    /** The same request on another connection. */
    public ClaimRequest on(DSLContext connection) {
        return new ClaimRequest(connection, queue, limit, lease, only);
    }

    /** The same request for rows of which the condition is true. */
    public ClaimRequest only(Condition condition) {
        return new ClaimRequest(dsl, queue, limit, lease, condition);
    }

    /** The rows that it may be answered with. */
    public Condition ready(Now now) {
        return queue.ready(now).and(only);
    }
}
