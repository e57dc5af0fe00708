package dev.dibs.spi;

import java.util.List;
import java.util.Optional;
import org.jooq.Record;

/** Locks rows in a transaction that stays open until they are settled. */
public record RowLockClaim(JdbcTransaction transaction) implements Claim {

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        var open = transaction.open(request.dsl());
        try {
            var rows = locked(request.on(open.dsl()));
            if (rows.isEmpty()) {
                open.close();
                return Optional.empty();
            }
            return Optional.of(new Claimed(rows, RowLock.on(open)));
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
