package dev.dibs.sqlite;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.Lease;
import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.PriorityRanges;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Name;
import org.jooq.Record1;
import org.jooq.Select;

/** One update of the first ready rows, inside the process's write transaction. */
record SqliteLeaseClaim(OwnTransaction transaction) implements Claim {

    private static final Name READY = name("ready");
    private static final Name ID = name("id");

    @Override
    public List<Claimed> claim(ClaimRequest request) {
        return transaction.run(request.dsl(), own -> leased(request.on(own)));
    }

    private List<Claimed> leased(ClaimRequest request) {
        var ranges = PriorityRanges.of(request);
        if (ranges.isEmpty()) {
            return List.of();
        }
        var queue = request.queue();
        var lease = Lease.of(request, transaction);
        var rows = request.dsl()
                .update(queue.from())
                .set(lease.marks())
                .where(queue.table().id().in(ready(request, lease, ranges)))
                .returningResult(queue.columns().afterClaim())
                .fetch();
        return lease.hold(queue.columns().inClaimOrder(rows));
    }

    private static Select<Record1<Object>> ready(ClaimRequest request, Lease lease, List<Condition> ranges) {
        var all = ranges.stream()
                .map(range -> ready(request, lease, range))
                .reduce(Select::unionAll)
                .orElseThrow();
        return select(field(READY.append(ID), request.queue().table().id().getDataType()))
                .from(all.asTable(READY, ID))
                .limit(request.limit());
    }

    private static Select<Record1<Object>> ready(ClaimRequest request, Lease lease, Condition range) {
        var queue = request.queue();
        return select(queue.table().id())
                .from(queue.from())
                .where(queue.ready(lease.now()))
                .and(range)
                .orderBy(queue.order())
                .limit(request.limit());
    }
}
