package dev.dibs.postgres;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.when;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.Lease;
import dev.dibs.spi.PriorityRanges;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record1;
import org.jooq.Record2;
import org.jooq.Select;
import org.jooq.SelectForUpdateStep;
import org.jooq.WithStep;
import org.jooq.impl.SQLDataType;

/** One statement: locks ready rows that nobody else has locked, and writes the lease into them. */
record PostgresLeaseClaim(JdbcTransaction transaction) implements Claim {

    private static final String CLAIM = "claim";
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
        var lease = Lease.of(request, transaction);
        var values = new HashMap<>(lease.values());
        bounds.map(Bounds::values).ifPresent(values::putAll);
        return leased(request, lease, values, () -> ready(request, lease, bounds));
    }

    /**
     * The same in two statements, the first of which locks nothing and may take long.
     *
     * <p>A statement that locks as it looks locks also rows that others have claimed since it began: it comes to them by what it
     * sees, follows them to what they are now, and passes over them, but keeps them locked until it ends. Where it walks over
     * the entries of very many settled rows, those others would wait as long to settle, and lose their leases.
     */
    Optional<Claimed> leasedAfterALook(ClaimRequest request, Bounds bounds) {
        var lease = Lease.of(request, transaction);
        var found = found(request, lease, bounds);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var ofThem = locked(request, lease, request.queue().in(request.dsl(), found));
        return leased(
                request,
                lease,
                Map.of(),
                () -> request.dsl().with(READY.fields(ID, RowColumns.RAN_OUT).asMaterialized(ofThem)));
    }

    private static Optional<Claimed> leased(
            ClaimRequest request, Lease lease, Map<String, ?> values, Supplier<WithStep> ready) {
        var queue = request.queue();
        var id = queue.table().id();
        var rows = request.rows(
                CLAIM,
                values,
                () -> ready.get()
                        .update(queue.from())
                        .set(lease.marks())
                        .where(id.eq(any(array(readyIds(id, noCondition())))))
                        .returningResult(returned(queue)));
        return lease.hold(queue.columns().inClaimOrder(rows));
    }

    // As an array: a join is planned by how many rows the table had when it was last analyzed, and where that was next
    // to none
    // the server compares each row of the table with each that is ready.
    private static Select<Record1<Object>> readyIds(Field<Object> id, Condition which) {
        return select(field(READY.append(ID), id.getDataType()))
                .from(table(READY))
                .where(which);
    }

    private static List<Field<?>> returned(QueueRef queue) {
        var id = queue.table().id();
        var isRanOut =
                field(READY.append(RowColumns.RAN_OUT), SQLDataType.INTEGER).eq(inline(1));
        var returned = new ArrayList<>(queue.columns().afterClaim());
        returned.add(when(id.eq(any(array(readyIds(id, isRanOut)))), inline(1))
                .otherwise(inline(0))
                .as(RowColumns.RAN_OUT));
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

    private static List<Object> found(ClaimRequest request, Lease lease, Bounds bounds) {
        var priority = request.queue().table().find(Part.PRIORITY);
        if (priority.isEmpty()) {
            return request.dsl()
                    .fetch(unlocked(request, lease, bounds.reached()))
                    .map(row -> row.value1());
        }
        var each = PriorityRanges.joined(
                request,
                priority.get(),
                value -> unlocked(request, lease, range(priority.get(), value, Optional.of(bounds))));
        return request.dsl()
                .withRecursive(bounds.inUse(priority.get()))
                .select(field(READY.append(ID), request.queue().table().id().getDataType()))
                .from(each.asTable(READY, ID, RowColumns.RAN_OUT))
                .fetch(row -> row.value1());
    }

    private static Condition range(Field<Object> priority, Field<Object> value, Optional<Bounds> bounds) {
        return priority.eq(value).and(bounds.map(from -> from.reached(value)).orElse(noCondition()));
    }

    private static Select<Record2<Object, Integer>> locked(ClaimRequest request, Lease lease, Condition range) {
        return unlocked(request, lease, range).forUpdate().skipLocked();
    }

    private static SelectForUpdateStep<Record2<Object, Integer>> unlocked(
            ClaimRequest request, Lease lease, Condition range) {
        var queue = request.queue();
        return select(queue.table().id(), queue.columns().ranOut())
                .from(queue.from())
                .where(request.ready(lease.now()))
                .and(range)
                .orderBy(queue.order())
                .limit(request.mostRows());
    }
}
