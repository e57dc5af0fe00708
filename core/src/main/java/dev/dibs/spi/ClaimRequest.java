package dev.dibs.spi;

import java.time.Duration;
import org.jooq.DSLContext;

/**
 * What a worker asks for.
 *
 * @param dsl where to claim; the claim takes and gives back its own connections
 * @param queue the queue
 * @param limit the most rows to claim; at least one
 * @param lease how long the rows are to be held, in the lease form
 */
public record ClaimRequest(DSLContext dsl, QueueRef queue, int limit, Duration lease) {

    /** The same request for another number of rows. */
    public ClaimRequest limit(int rows) {
        return new ClaimRequest(dsl, queue, rows, lease);
    }

    /** The same request on another connection. */
    public ClaimRequest on(DSLContext connection) {
        return new ClaimRequest(connection, queue, limit, lease);
    }
}
