package dev.dibs.spi;

import dev.dibs.table.Part;
import dev.dibs.time.Micros;
import dev.dibs.time.Now;
import dev.dibs.time.TimeColumn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;

/** The lease that one claim writes into all of its rows: an expiry, a token, and one more attempt. */
public final class Lease implements Hold {

    private final ClaimRequest request;
    private final JdbcTransaction transaction;
    private final Now now;
    private final long token = ThreadLocalRandom.current().nextLong();

    private Lease(ClaimRequest request, JdbcTransaction transaction, Now now) {
        this.request = request;
        this.transaction = transaction;
        this.now = now;
    }

    /** A new lease for a claim; one reading of the clock serves its whole statement. */
    public static Lease of(ClaimRequest request, JdbcTransaction transaction) {
        return new Lease(request, transaction, request.queue().time().now());
    }

    /** The clock reading of the claim. */
    public Now now() {
        return now;
    }

    /** What the claim sets in each row. */
    public Map<Field<?>, Object> marks() {
        return marks(until().value(fixed(), request.lease()));
    }

    /** The lease's end in microseconds, as {@link #marks()} would write it. */
    Field<Long> expiry() {
        return until().micros(fixed(), request.lease());
    }

    private Map<Field<?>, Object> marks(Field<?> until) {
        var table = request.queue().table();
        var marks = new LinkedHashMap<Field<?>, Object>();
        marks.put(table.column(Part.LEASED_UNTIL), until);
        table.find(Part.LEASE_TOKEN).ifPresent(column -> marks.put(column, token));
        table.find(Part.ATTEMPT).ifPresent(attempt -> marks.put(attempt, RowColumns.next(attempt)));
        return marks;
    }

    /** The same, with the expiry that a select before it computed: one for all rows, though it may have taken several. */
    public Map<Field<?>, Object> marks(List<Record> selected) {
        var until = request.queue().columns().leasedUntil();
        var expiry = selected.get(0).get(until);
        selected.forEach(row -> row.set(until, expiry));
        return marks(until().value(Micros.at(expiry)));
    }

    /** The claimed rows with this lease as what holds them; empty if there are none. */
    public Optional<Claimed> hold(List<Record> rows) {
        return rows.isEmpty() ? Optional.empty() : Optional.of(new Claimed(rows, this));
    }

    @Override
    public Condition guard(Record row) {
        return request.queue()
                .table()
                .find(Part.LEASE_TOKEN)
                .map(column -> column.eq(token))
                .orElseGet(() -> until().is(row.get(request.queue().columns().leasedUntil())));
    }

    @Override
    public OwnTransaction settling() {
        return transaction;
    }

    @Override
    public HandlerTransaction begin(DSLContext pool) {
        return HandlerTransaction.begun(transaction.open(pool));
    }

    // Written in the row itself, so that nothing is to be let go of.
    @Override
    public void close() {}

    private TimeColumn until() {
        return TimeColumn.of(request.queue().table().column(Part.LEASED_UNTIL));
    }

    // One expiry for all rows of a statement.
    private Now fixed() {
        return new Now(now.compared(), now.compared());
    }
}
