package dev.dibs.spi;

import dev.dibs.table.Part;
import dev.dibs.time.Micros;
import dev.dibs.time.Now;
import dev.dibs.time.TimeColumn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record2;
import org.jooq.impl.DSL;

/** The lease that one claim writes into all of its rows: an expiry, a token, and one more attempt. */
public final class Lease implements Hold {

    private static final String TOKEN = "token";

    private final ClaimRequest request;
    private final JdbcTransaction transaction;
    private final Now now;
    private final long token = ThreadLocalRandom.current().nextLong();
    private final Set<Long> extensions = ConcurrentHashMap.newKeySet();
    private final Set<Object> lost = ConcurrentHashMap.newKeySet();
    private final Map<Object, Long> extended = new ConcurrentHashMap<>();
    private final long since = System.nanoTime();

    private Lease(ClaimRequest request, JdbcTransaction transaction, Now now) {
        this.request = request;
        this.transaction = transaction;
        this.now = now;
    }

    /** A new lease for a claim; one reading of the clock serves its whole statement. */
    public static Lease of(ClaimRequest request, JdbcTransaction transaction) {
        return of(request, transaction, request.queue().time().now());
    }

    /** The same by a reading of the clock that was made before. */
    static Lease of(ClaimRequest request, JdbcTransaction transaction, Now now) {
        return new Lease(request, transaction, now);
    }

    /** The clock reading of the claim. */
    public Now now() {
        return now;
    }

    /** What the claim sets in each row. */
    public Map<Field<?>, Object> marks() {
        return marks(until().value(fixed(now), request.lease()));
    }

    /** The lease's end in microseconds, as {@link #marks()} would write it. */
    Field<Long> expiry() {
        return expiry(now);
    }

    private Field<Long> expiry(Now reading) {
        return until().micros(fixed(reading), request.lease());
    }

    private Map<Field<?>, Object> marks(Field<?> until) {
        var table = request.queue().table();
        var marks = new LinkedHashMap<Field<?>, Object>();
        marks.put(table.column(Part.LEASED_UNTIL), until);
        table.find(Part.LEASE_TOKEN).ifPresent(column -> marks.put(column, token(column)));
        table.find(Part.ATTEMPT).ifPresent(attempt -> marks.put(attempt, RowColumns.next(attempt)));
        return marks;
    }

    private Field<Object> token(Field<Object> column) {
        return KeptTexts.given(TOKEN, column.getDataType(), token);
    }

    /** What it gives to statements that are kept. */
    public Map<String, Object> values() {
        return Map.of(TOKEN, token);
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
    public Condition guard(List<Record> rows) {
        return request.queue()
                .table()
                .find(Part.LEASE_TOKEN)
                .map(column -> column.eq(token(column)))
                .orElseGet(() -> DSL.or(expiries(rows).map(until()::is).toList()));
    }

    @Override
    public Optional<Map<String, Object>> given() {
        return request.queue().table().find(Part.LEASE_TOKEN).map(column -> values());
    }

    // Each that this lease has written, or is about to write.
    private Stream<Long> expiries(List<Record> rows) {
        var until = request.queue().columns().leasedUntil();
        return Stream.concat(rows.stream().map(row -> row.get(until)), extensions.stream())
                .distinct();
    }

    /** Extends the lease of these rows, but for those that somebody is settling. */
    @Override
    public boolean extend(DSLContext pool, List<Record> rows) {
        var began = System.nanoTime();
        var extension = transaction.run(pool, own -> extended(own, rows));
        extension.ids().forEach(id -> extended.put(id, began));
        lost.addAll(extension.gone());
        return extension.ids().size() + extension.gone().size() == rows.size();
    }

    // Passing over locked rows, it waits for nobody, and so is never part of a deadlock.
    private Extension extended(DSLContext own, List<Record> rows) {
        var queue = request.queue();
        var free = free(own, rows);
        if (!free.isEmpty()) {
            var expiry = free.get(0).value2();
            extensions.add(expiry); // before it is there to be seen, so that no settlement misses it
            own.update(queue.from())
                    .set(Map.of(queue.table().column(Part.LEASED_UNTIL), until().value(Micros.at(expiry))))
                    .where(queue.in(own, free.stream().map(row -> row.value1()).toList()))
                    .execute();
        }
        var ids = free.stream().map(row -> row.value1()).collect(Collectors.toSet());
        var others = rows.stream().filter(row -> !ids.contains(idOf(row))).toList();
        return new Extension(ids, gone(own, others));
    }

    private List<Record2<Object, Long>> free(DSLContext own, List<Record> rows) {
        var held = own.select(
                        request.queue().table().id(),
                        expiry(request.queue().time().now()))
                .from(request.queue().from())
                .where(held(own, rows));
        return SkipLocked.locked(own, held);
    }

    private List<Object> gone(DSLContext own, List<Record> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        var id = request.queue().table().id();
        var held = own.select(id)
                .from(request.queue().from())
                .where(held(own, rows))
                .fetchSet(id);
        return rows.stream()
                .map(this::idOf)
                .filter(each -> !held.contains(each))
                .toList();
    }

    private Condition held(DSLContext own, List<Record> rows) {
        return request.queue().in(own, rows.stream().map(this::idOf).toList()).and(guard(rows));
    }

    private Object idOf(Record row) {
        return request.queue().columns().id(row);
    }

    @Override
    public boolean isLost(Record row) {
        return lost.contains(idOf(row)) || !isSure(row);
    }

    // By this process's own clock, from before the lease was written, or extended.
    @Override
    public boolean isSure(Record row) {
        var leased = extended.getOrDefault(idOf(row), since);
        return System.nanoTime() - leased < request.lease().toNanos();
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
    private static Now fixed(Now reading) {
        return new Now(reading.compared(), reading.compared());
    }

    /** The rows that an extension has extended, and those that were held no more. */
    private record Extension(Set<Object> ids, List<Object> gone) {}
}
