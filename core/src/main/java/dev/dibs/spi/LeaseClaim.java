package dev.dibs.spi;

import dev.dibs.time.Now;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;
import org.jooq.SQLDialect;

/** One short transaction: locks ready rows that nobody else has locked, then writes the lease into them. */
public record LeaseClaim(JdbcTransaction transaction) implements Claim {

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        return transaction.run(request.dsl(), own -> leased(request.on(own)));
    }

    /** The same on the request's own connection, in a transaction that is open. */
    public Optional<Claimed> leased(ClaimRequest request) {
        var lease = Lease.of(request, transaction, now(request));
        var rows = SkipLocked.rows(
                request, lease.now(), () -> request.queue().columns().beforeClaim(lease), lease.values());
        return rows.isEmpty() ? Optional.empty() : lease.hold(marked(request, lease, rows));
    }

    // SQLite reads its clock for each row that it returns: one that becomes due meanwhile may stand, by its order key,
    // in
    // front of one that was returned before.
    private static Now now(ClaimRequest request) {
        var now = request.queue().time().now();
        return request.dsl().family() == SQLDialect.SQLITE ? now.read(request.dsl()) : now;
    }

    private static List<Record> marked(ClaimRequest request, Lease lease, List<Record> rows) {
        var queue = request.queue();
        var ids = rows.stream().map(queue.columns()::id).toList();
        request.dsl()
                .update(queue.from())
                .set(lease.marks(rows))
                .where(queue.in(request.dsl(), ids))
                .execute();
        return queue.columns().inClaimOrder(rows);
    }
}
