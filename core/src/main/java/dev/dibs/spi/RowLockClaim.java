package dev.dibs.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Record;

/**
 * Locks rows in a transaction that stays open until they are settled.
 *
 * @param locks on the order keys of rows, where a queue has an order
 */
public record RowLockClaim<K>(OrderLocks<K> locks, JdbcTransaction transaction) implements Claim {

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        var open = transaction.open(request.dsl());
        try {
            return request.queue().isOrdered()
                    ? ordered(request, open)
                    : claimed(request.on(open.dsl()), open, () -> {});
        } catch (Throwable failed) {
            open.close();
            throw failed;
        }
    }

    private Optional<Claimed> ordered(ClaimRequest request, OpenTransaction open) {
        var keys = OrderKeys.lock(request, locks, open);
        try {
            if (keys.isEmpty()) {
                open.close();
                return Optional.empty();
            }
            return claimed(request.on(open.dsl()).only(keys.ofThem()), open, keys::close);
        } catch (Throwable failed) {
            keys.close();
            throw failed;
        }
    }

    private static Optional<Claimed> claimed(ClaimRequest request, OpenTransaction open, Runnable afterwards) {
        var rows = locked(request);
        if (rows.isEmpty()) {
            afterwards.run();
            open.close();
            return Optional.empty();
        }
        return Optional.of(new Claimed(rows, RowLock.on(open, afterwards)));
    }

    private static List<Record> locked(ClaimRequest request) {
        var queue = request.queue();
        return SkipLocked.rows(request, queue.time().now(), queue.columns()::counting, Map.of());
    }
}
