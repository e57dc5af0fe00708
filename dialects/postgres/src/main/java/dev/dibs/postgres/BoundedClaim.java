package dev.dibs.postgres;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Claims leases, each from where the claims before it have seen all that there was. Safe for any thread. */
final class BoundedClaim implements Claim {

    private static final int FIRST_DELIVERY = 1;

    private final PostgresLeaseClaim claim;
    private final ClaimKeys keys;
    private final Function<DSLContext, Set<String>> writers;
    private final ConfirmedBound bound;
    private volatile Optional<Boolean> tellsItsWriters = Optional.empty();

    /**
     * A claim without bounds yet.
     *
     * @param writers the transactions that write the table now
     */
    BoundedClaim(
            PostgresLeaseClaim claim, ClaimKeys keys, Function<DSLContext, Set<String>> writers, ConfirmedBound bound) {
        this.claim = claim;
        this.keys = keys;
        this.writers = writers;
        this.bound = bound;
    }

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        return request.isFull() ? fromTheStart(request) : fromTheBound(request);
    }

    @Override
    public boolean needsFullLooks() {
        return true;
    }

    @Override
    public void lookAgain(List<Record> rows) {
        bound.lower(rows.stream().map(keys::of).toList());
    }

    @Override
    public void reset() {
        bound.reset();
        tellsItsWriters = Optional.empty();
    }

    private Optional<Claimed> fromTheStart(ClaimRequest request) {
        var from = new Bounds(keys, new TreeMap<>());
        return claim.transaction().single(request.dsl(), own -> claim.leasedAfterALook(request.on(own), from));
    }

    // The list of locks and the rows are read in one session, so that both are told by one server.
    private Optional<Claimed> fromTheBound(ClaimRequest request) {
        try {
            return claim.transaction().single(request.dsl(), own -> claimed(request.on(own)));
        } catch (RuntimeException | Error failed) { // perhaps committed, perhaps by a server that is another one now
            reset();
            throw failed;
        }
    }

    private Optional<Claimed> claimed(ClaimRequest request) {
        bound.awaited()
                .filter(step -> tellsItsWriters(request.dsl()))
                .ifPresent(step -> bound.writing(step, writers.apply(request.dsl())));
        var look = bound.look();
        var claimed = claim.leased(request, Optional.of(new Bounds(keys, look.from())));
        claimed.ifPresent(found ->
                bound.claimed(look, found.rows().stream().map(keys::of).toList(), isSeenBy(request, found.rows())));
        return claimed;
    }

    private boolean tellsItsWriters(DSLContext dsl) {
        if (tellsItsWriters.isEmpty()) {
            tellsItsWriters = Optional.of(new TableWriters(keys.queue()).areToldAsTheyWrite(dsl));
        }
        return tellsItsWriters.orElse(false);
    }

    private Predicate<Key> isSeenBy(ClaimRequest request, List<Record> rows) {
        var last = rows.stream()
                .filter(row -> keys.queue().columns().attempt(row) == FIRST_DELIVERY)
                .reduce((one, next) -> next)
                .map(keys::of);
        return rows.size() < request.limit()
                ? key -> true
                : key -> last.filter(reached -> reached.compareTo(key) >= 0).isPresent();
    }
}
