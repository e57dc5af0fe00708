package dev.dibs.spi;

import dev.dibs.time.Now;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * What a worker asks for.
 *
 * @param dsl where to claim; the claim takes and gives back its own connections
 * @param queue the queue
 * @param limit the most rows to claim; at least one
 * @param lease how long the rows are to be held, in the lease form
 * @param scope where to look for them
 */
public record ClaimRequest(DSLContext dsl, QueueRef queue, int limit, Duration lease, Scope scope) {

    /** Any rows of the queue that are ready. */
    public static ClaimRequest of(DSLContext dsl, QueueRef queue, int limit, Duration lease) {
        return new ClaimRequest(dsl, queue, limit, lease, new Scope(DSL.noCondition(), false, new AtomicReference<>()));
    }

    /** The same request for another number of rows. */
    public ClaimRequest limit(int rows) {
        return new ClaimRequest(dsl, queue, rows, lease, scope);
    }

    /**
     * The limit as a statement has it.
     *
     * <p>A subquery on PostgreSQL, which otherwise plans a claim of a few rows anew for each execution, for that takes longer
     * than the claim: a plan for a small number seems cheaper to it than the one that serves any number.
     */
    public Field<Integer> mostRows() {
        return dsl.family() == SQLDialect.POSTGRES ? DSL.field(DSL.select(DSL.val(limit))) : DSL.val(limit);
    }

    /** The same request on another connection. */
    public ClaimRequest on(DSLContext connection) {
        return new ClaimRequest(connection, queue, limit, lease, scope);
    }

    /** The same request for rows of which the condition is true; a full look, for it tells nothing of the other rows. */
    public ClaimRequest only(Condition condition) {
        return new ClaimRequest(dsl, queue, limit, lease, new Scope(condition, true, scope.mostUrgent()));
    }

    /** The same request as a full look: from the start of the index, whatever earlier claims have seen there. */
    public ClaimRequest full() {
        return new ClaimRequest(dsl, queue, limit, lease, new Scope(scope.only(), true, scope.mostUrgent()));
    }

    /** Whether it is a full look. */
    public boolean isFull() {
        return scope.isFull();
    }

    /** The rows that it may be answered with. */
    public Condition ready(Now now) {
        return queue.ready(now).and(scope.only());
    }

    /**
     * Which rows of a queue are looked for, and from where on.
     *
     * @param only a condition that the rows fulfil beside being ready
     * @param isFull whether to look from the start of the index
     * @param mostUrgent the most urgent priority in use when a claim last looked for it, remembered by all requests that are made
     *     of one
     */
    public record Scope(Condition only, boolean isFull, AtomicReference<@Nullable Object> mostUrgent) {}
}
