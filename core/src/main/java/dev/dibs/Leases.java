package dev.dibs;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;

/**
 * A claim whose rows are in the worker's hands, with a connection kept for them, before anyone can settle them.
 *
 * @param claim brings the rows
 */
record Leases(Claim claim, InHand inHand, ReservedConnection connection, Health health) implements Claim {

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        var begun = connection.claim();
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        try (var claiming = begun.get()) {
            var began = System.nanoTime(); // the leases did, at the latest
            var claimed = claim.claim(request.on(claiming.dsl()));
            claimed.ifPresent(rows -> inHand.take(rows, began));
            return claimed;
        }
    }

    @Override
    public boolean needsFullLooks() {
        return claim.needsFullLooks();
    }

    @Override
    public void lookAgain(List<Record> rows) {
        claim.lookAgain(rows);
    }

    @Override
    public void reset() {
        claim.reset();
    }
}
