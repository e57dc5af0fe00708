package dev.dibs.spi;

import java.util.List;
import java.util.Optional;
import org.jooq.Record;

/** Locks the keys of ready rows in a session of its own, then counts the delivery of each that is ready still. */
public record AdvisoryClaim<K>(KeyLocks<K> locks, JdbcTransaction transaction) implements Claim {

    /** Looks for free keys before a claim answers with what it has; others may take them first each time. */
    private static final int MOST_LOOKS = 10;

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        var hold = new AdvisoryHold<>(locks, transaction, Session.open(request.dsl()));
        try {
            var rows = taken(new AdvisoryRows<>(locks, transaction, request.on(hold.dsl())), hold);
            if (rows.isEmpty()) {
                hold.close();
                return Optional.empty();
            }
            return Optional.of(new Claimed(rows, hold));
        } catch (Throwable failed) {
            hold.close();
            throw failed;
        }
    }

    // Each look passes over the keys in work, those that this claim has taken among them.
    private static <K> List<Record> taken(AdvisoryRows<K> rows, AdvisoryHold<K> hold) {
        for (int look = 0; look < MOST_LOOKS; look++) {
            var candidates = rows.candidates(hold.rows().size());
            candidates.forEach(candidate -> hold.take(candidate.value2(), () -> rows.counted(candidate.value1())));
            if (candidates.isEmpty()) {
                break;
            }
        }
        return hold.rows();
    }
}
