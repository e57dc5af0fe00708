package dev.dibs.sqlite;

import static org.jooq.impl.DSL.select;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.Lease;
import dev.dibs.spi.PriorityRanges;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Select;

/** One update of the first ready rows of each range, inside the process's write transaction. */
record SqliteLeaseClaim(JdbcTransaction transaction) implements Claim {

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        return transaction.run(request.dsl(), own -> leased(request.on(own)));
    }

    private Optional<Claimed> leased(ClaimRequest request) {
        var lease = Lease.of(request, transaction);
        var rows = PriorityRanges.rows(request, (rest, range) -> marked(rest, lease, range));
        return lease.hold(request.queue().columns().inClaimOrder(rows));
    }

    private static List<? extends Record> marked(ClaimRequest request, Lease lease, Condition range) {
        var queue = request.queue();
        return request.dsl()
                .update(queue.from())
                .set(lease.marks())
                .where(queue.table().id().in(ready(request, lease, range)))
                // Here, and only here, SQLite does not know the name of an attached database.
                .returningResult(queue.columns().afterClaimUnqualified())
                .fetch();
    }

    private static Select<Record1<Object>> ready(ClaimRequest request, Lease lease, Condition range) {
        var queue = request.queue();
        return select(queue.table().id())
                .from(queue.from())
                .where(request.ready(lease.now()))
                .and(range)
                .orderBy(queue.order())
                .limit(request.limit());
    }
}
