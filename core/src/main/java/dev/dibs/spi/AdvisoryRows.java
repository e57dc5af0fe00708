package dev.dibs.spi;

import dev.dibs.table.Part;
import dev.dibs.time.Now;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record2;

/**
 * The statements of a claim in the advisory form.
 *
 * @param request on the session that holds the locks
 */
record AdvisoryRows<K>(KeyLocks<K> locks, JdbcTransaction transaction, ClaimRequest request) {

    /** Ids and keys of ready rows whose keys nobody holds, as many as are still asked for when there are some. */
    @SuppressWarnings("unchecked") // the two columns that are selected
    List<Record2<Object, K>> candidates(int taken) {
        if (taken == request.limit()) {
            return List.of();
        }
        var now = request.queue().time().now();
        return (List<Record2<Object, K>>) (List<?>) PriorityRanges.rows(
                request.limit(request.limit() - taken), (rest, range) -> candidates(rest, now, range));
    }

    private List<? extends Record> candidates(ClaimRequest rest, Now now, Range range) {
        var queue = rest.queue();
        var key = locks.key(queue, queue.lockKey());
        return rest.dsl()
                .select(queue.table().id(), key)
                .from(queue.from())
                .where(rest.ready(now))
                .and(range.condition())
                .and(locks.isFree(rest.dsl(), key))
                .orderBy(queue.order())
                .limit(rest.mostRows())
                .fetch();
    }

    /** The row with its delivery counted, if it is ready still; under its key's lock nobody else can take it. */
    Optional<Record> counted(Object id) {
        var queue = request.queue();
        var isReady = queue.table().id().eq(id).and(request.ready(queue.time().now()));
        return transaction.single(request.dsl(), own -> count(own, isReady) ? row(own, isReady) : Optional.empty());
    }

    private boolean count(DSLContext own, Condition isReady) {
        Optional<Field<Object>> attempt = request.queue().table().find(Part.ATTEMPT);
        return attempt.isEmpty()
                || own.update(request.queue().from())
                                .set(Map.of(attempt.get(), RowColumns.next(attempt.get())))
                                .where(isReady)
                                .execute()
                        == 1;
    }

    private Optional<Record> row(DSLContext own, Condition isReady) {
        return own.select(request.queue().columns().afterClaim())
                .from(request.queue().from())
                .where(isReady)
                .fetchOptional()
                .map(row -> row);
    }
}
