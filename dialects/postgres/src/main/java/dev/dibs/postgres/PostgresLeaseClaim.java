package dev.dibs.postgres;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.Lease;
import dev.dibs.spi.PriorityRanges;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record2;
import org.jooq.Select;
import org.jooq.WithStep;
import org.jooq.impl.SQLDataType;

/** One statement: locks ready rows that nobody else has locked, and writes the lease into them. */
record PostgresLeaseClaim(JdbcTransaction transaction) implements Claim {

    private static final Name READY = name("ready");
    private static final Name ID = name("id");

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        return transaction.single(request.dsl(), own -> leased(request.on(own)));
    }

    /** On the request's own connection. */
    Optional<Claimed> leased(ClaimRequest request) {
        return leased(request, Optional.empty());
    }

    /**
     * The same from bounds on.
     *
     * <p>Materialized: a plan that ran the inner select once per outer row would lease far more rows than asked.
     */
    Optional<Claimed> leased(ClaimRequest request, Optional<Bounds> bounds) {
        var queue = request.queue();
        var id = queue.table().id();
        var lease = Lease.of(request, transaction);
        var rows = ready(request, lease, bounds)
                .update(queue.from())
                .set(lease.marks())
                .from(table(READY))
                .where(id.eq(field(READY.append(ID), id.getDataType())))
                .returningResult(returned(queue.columns()))
                .fetch();
        return lease.hold(queue.columns().inClaimOrder(rows));
    }

    private static List<Field<?>> returned(RowColumns<?> columns) {
        var returned = new ArrayList<>(columns.afterClaim());
        returned.add(field(READY.append(RowColumns.RAN_OUT), SQLDataType.INTEGER));
        return returned;
    }

    private static WithStep ready(ClaimRequest request, Lease lease, Optional<Bounds> bounds) {
        var priority = request.queue().table().find(Part.PRIORITY);
        if (priority.isEmpty()) {
            var all = locked(request, lease, bounds.map(Bounds::reached).orElse(noCondition()));
            return request.dsl().with(READY.fields(ID, RowColumns.RAN_OUT).asMaterialized(all));
        }
        var inUse = bounds.map(from -> from.inUse(priority.get()))
                .orElseGet(() -> PriorityRanges.inUse(request.queue(), priority.get()));
        var each = PriorityRanges.joined(
                request, priority.get(), value -> locked(request, lease, range(priority.get(), value, bounds)));
        return request.dsl()
                .withRecursive(inUse)
                .with(READY.fields(ID, RowColumns.RAN_OUT).asMaterialized(each));
    }

    private static Condition range(Field<Object> priority, Field<Object> value, Optional<Bounds> bounds) {
        return priority.eq(value).and(bounds.map(from -> from.reached(value)).orElse(noCondition()));
    }

    private static Select<Record2<Object, Integer>> locked(ClaimRequest request, Lease lease, Condition range) {
        var queue = request.queue();
        return select(queue.table().id(), queue.columns().ranOut())
                .from(queue.from())
                .where(request.ready(lease.now()))
                .and(range)
                .orderBy(queue.order())
                .limit(request.limit())
                .forUpdate()
                .skipLocked();
    }
}
