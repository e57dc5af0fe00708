package dev.dibs.spi;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.dibs.time.Now;
import java.util.List;
import java.util.Objects;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order keys that a claim has locked, and the rows that it may claim under them.
 *
 * <p>Made before the rows are looked at once more, in a statement that sees all that others did under these keys before.
 */
final class OrderKeys<K> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OrderKeys.class);
    private static final Name CANDIDATE = name("candidate");
    private static final Name KEY = name("dibs_key");

    private final OrderLocks<K> locks;
    private final Session session;
    private final Field<Object> id;
    private final List<Record> rows;

    private OrderKeys(OrderLocks<K> locks, Session session, Field<Object> id, List<Record> rows) {
        this.locks = locks;
        this.session = session;
        this.id = id;
        this.rows = rows;
    }

    /** Locks the keys of rows whose turn it is, as many as the request asks for or are free. */
    static <K> OrderKeys<K> lock(ClaimRequest request, OrderLocks<K> locks, OpenTransaction open) {
        try {
            var now = request.queue().time().now();
            var rows = PriorityRanges.rows(request.on(open.dsl()), (rest, range) -> locked(rest, now, range, locks));
            return new OrderKeys<>(
                    locks, open.session(), request.queue().table().id(), rows);
        } catch (Throwable failed) { // it is not known which keys were locked before
            open.session().abort();
            throw failed;
        }
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** True of the rows whose keys are locked, and of those that have no key. */
    Condition ofThem() {
        return id.in(rows.stream().map(row -> row.get(0)).toList());
    }

    @Override
    @SuppressWarnings("unchecked") // the second column that was selected
    public void close() {
        var keys = rows.stream()
                .map(row -> (K) row.get(1))
                .filter(Objects::nonNull)
                .toList();
        try {
            if (keys.isEmpty() || locks.letGo(session.dsl(), keys)) {
                return;
            }
            LOG.warn("order keys were not locked any more when they were let go of; their connection is closed");
        } catch (DataAccessException failed) {
            LOG.warn("order keys could not be let go of; their connection is closed", failed);
        }
        session.abort();
    }

    // The limit stands inside: a lock is taken for each row that the condition outside is evaluated for, and for no
    // other.
    private static <K> List<? extends Record> locked(ClaimRequest request, Now now, Range range, OrderLocks<K> locks) {
        var queue = request.queue();
        var key = locks.key(queue, queue.orderText());
        var candidates = request.dsl()
                .select(queue.table().id().as("id"), key.as(KEY))
                .from(queue.from())
                .where(queue.ready(now))
                .and(range.condition())
                .and(key.isNull().or(locks.isFree(key)))
                .orderBy(queue.order())
                .limit(request.mostRows())
                .asTable(CANDIDATE);
        var candidate = field(CANDIDATE.append(KEY), key.getDataType());
        return request.dsl()
                .select(candidates.field("id"), candidate)
                .from(candidates)
                .where(candidate.isNull().or(locks.isTaken(candidate)))
                .fetch();
    }
}
