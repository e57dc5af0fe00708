package dev.dibs.spi;

import dev.dibs.time.Now;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.ResultQuery;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
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

    /** The limit's parameter. */
    private static final String LIMIT = "limit";

    /** Any rows of the queue that are ready. */
    public static ClaimRequest of(DSLContext dsl, QueueRef queue, int limit, Duration lease) {
        return new ClaimRequest(dsl, queue, limit, lease, new Scope(DSL.noCondition(), false, Memory.empty()));
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
        return dsl.family() == SQLDialect.POSTGRES
                ? DSL.field(DSL.select(KeptTexts.given(LIMIT, SQLDataType.INTEGER, limit)))
                : DSL.param(LIMIT, limit); // anything but a parameter would have jOOQ number the rows
    }

    /** The same request on another connection. */
    public ClaimRequest on(DSLContext connection) {
        return new ClaimRequest(connection, queue, limit, lease, scope);
    }

    /** The same request for rows of which the condition is true; a full look, for it tells nothing of the other rows. */
    public ClaimRequest only(Condition condition) {
        return new ClaimRequest(dsl, queue, limit, lease, new Scope(condition, true, scope.memory()));
    }

    /** The same request as a full look: from the start of the index, whatever earlier claims have seen there. */
    public ClaimRequest full() {
        return new ClaimRequest(dsl, queue, limit, lease, new Scope(scope.only(), true, scope.memory()));
    }

    /** Whether it is a full look. */
    public boolean isFull() {
        return scope.isFull();
    }

    /**
     * Executes a statement on the request's connection: one that is kept, unless it is a full look.
     *
     * @param kind of statements that differ in what is {@link KeptTexts#given} alone
     * @param values what is given, beside the limit
     */
    public Result<? extends Record> rows(Object kind, Map<String, ?> values, Supplier<? extends ResultQuery<?>> query) {
        if (isFull()) {
            return query.get().fetch();
        }
        var all = new HashMap<String, Object>(values);
        all.put(LIMIT, limit);
        return scope.memory().texts().rows(dsl, kind, all, query);
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
     * @param memory of all requests that are made of one
     */
    public record Scope(Condition only, boolean isFull, Memory memory) {}

    /**
     * What requests leave for those that come after them.
     *
     * @param mostUrgent the most urgent priority in use when a claim last looked for it
     * @param texts of claims that are no full looks
     */
    public record Memory(AtomicReference<@Nullable Object> mostUrgent, KeptTexts texts) {

        private static Memory empty() {
            return new Memory(new AtomicReference<>(), new KeptTexts());
        }
    }
}
