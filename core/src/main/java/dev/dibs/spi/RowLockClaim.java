package dev.dibs.spi;

import java.util.List;
import org.jooq.Record;

/** Locks rows in a transaction that stays open until they are settled. */
public record RowLockClaim(JdbcTransaction transaction) implements Claim {

    @Override
    public List<Claimed> claim(ClaimRequest request) {
        var open = transaction.open(request.dsl());
        try {
            var rows = locked(request.on(open.dsl()));
            if (rows.isEmpty()) {
                open.close();
                return List.of();
            }
            var hold = RowLock.on(open);
            return rows.stream().map(row -> new Claimed(row, hold)).toList();
        } catch (Throwable failed) {
            open.close();
            throw failed;
        }
    }

    private static List<Record> locked(ClaimRequest request) {
        var queue = request.queue();
        return SkipLocked.rows(request, queue.time().now(), queue.columns().counting());
    }
}
