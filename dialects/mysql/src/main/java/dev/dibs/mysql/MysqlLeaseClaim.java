package dev.dibs.mysql;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.Lease;
import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.PriorityRanges;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Record;

/** One short transaction: locks ready rows that nobody else has locked, then writes the lease into them. */
record MysqlLeaseClaim(OwnTransaction transaction) implements Claim {

    @Override
    public List<Claimed> claim(ClaimRequest request) {
        return transaction.run(request.dsl(), own -> leased(request.on(own)));
    }

    private static List<Claimed> leased(ClaimRequest request) {
        var lease = Lease.of(request);
        var rows = new ArrayList<Record>();
        for (var range : PriorityRanges.of(request)) {
            if (rows.size() < request.limit()) {
                rows.addAll(locked(request.limit(request.limit() - rows.size()), lease, range));
            }
        }
        return rows.isEmpty() ? List.of() : lease.hold(marked(request, lease, rows));
    }

    private static List<? extends Record> locked(ClaimRequest request, Lease lease, Condition range) {
        var queue = request.queue();
        return request.dsl()
                .select(queue.columns().beforeClaim(lease))
                .from(queue.from())
                .where(queue.ready(lease.now()))
                .and(range)
                .orderBy(queue.order())
                .limit(request.limit())
                .forUpdate()
                .skipLocked()
                .fetch();
    }

    // By sorted ids, so that two writers of the same rows meet them in one order.
    private static List<Record> marked(ClaimRequest request, Lease lease, List<Record> rows) {
        var queue = request.queue();
        var ids = rows.stream().map(queue.columns()::id).sorted().toList();
        request.dsl()
                .update(queue.from())
                .set(lease.marks(rows))
                .where(queue.table().id().in(ids))
                .execute();
        return rows;
    }
}
