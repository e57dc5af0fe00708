package dev.dibs.spi;

import dev.dibs.table.Part;
import dev.dibs.time.Now;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.Record;
import org.jooq.Record2;

/** Locks the keys of ready rows in a session of its own, then counts the delivery of each that is ready still. */
public record AdvisoryClaim<K>(KeyLocks<K> locks, JdbcTransaction transaction) implements Claim {

    /** Looks for free keys before a claim answers with what it has; others may take them first each time. */
    private static final int MOST_LOOKS = 10;

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        var hold = new AdvisoryHold<>(locks, transaction, Session.open(request.dsl()));
        try {
            var rows = taken(request.on(hold.dsl()), hold);
            if (rows.isEmpty()) {
                hold.close();
                return Optional.empty();
            }
            return Optional.of(new Claimed(rows, hold));
        } catch (Throwable failed) {
            hold.close();
            throw failed;
        }
    }

    // Each look passes over the keys in work, those that this claim has taken among them.
    private List<Record> taken(ClaimRequest request, AdvisoryHold<K> hold) {
        for (int look = 0; look < MOST_LOOKS && hold.rows().size() < request.limit(); look++) {
            var candidates =
                    candidates(request.limit(request.limit() - hold.rows().size()));
            candidates.forEach(candidate -> hold.take(candidate.value2(), () -> row(request, candidate.value1())));
            if (candidates.isEmpty()) {
                break;
            }
        }
        return hold.rows();
    }

    @SuppressWarnings("unchecked") // the two columns that are selected
    private List<Record2<Object, K>> candidates(ClaimRequest request) {
        var now = request.queue().time().now();
        return (List<Record2<Object, K>>)
                (List<?>) PriorityRanges.rows(request, (rest, range) -> candidates(rest, now, range));
    }

    private List<? extends Record> candidates(ClaimRequest request, Now now, Condition range) {
        var queue = request.queue();
        var key = locks.key(queue, queue.lockKey());
        return request.dsl()
                .select(queue.table().id(), key)
                .from(queue.from())
                .where(queue.ready(now))
                .and(range)
                .and(locks.isFree(request.dsl(), key))
                .orderBy(queue.order())
                .limit(request.limit())
                .fetch();
    }

    // Under the key's lock nobody else can take the row; another may have settled it just before.
    private Optional<Record> row(ClaimRequest request, Object id) {
        var queue = request.queue();
        var ready = queue.table().id().eq(id).and(queue.ready(queue.time().now()));
        return transaction.single(request.dsl(), own -> {
            var isReady = queue.table()
                    .find(Part.ATTEMPT)
                    .map(attempt -> own.update(queue.from())
                                    .set(Map.of(attempt, RowColumns.next(attempt)))
                                    .where(ready)
                                    .execute()
                            == 1)
                    .orElse(true);
            return isReady
                    ? own.select(queue.columns().afterClaim())
                            .from(queue.from())
                            .where(ready)
                            .fetchOptional()
                            .map(row -> row)
                    : Optional.empty();
        });
    }
}
