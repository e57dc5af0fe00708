package dev.dibs;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;

/** A claim whose rows are in the worker's hands before anyone can settle them. */
record KeptClaim(Leases leases) implements Claim {

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        return leases.claim(request);
    }

    @Override
    public boolean needsFullLooks() {
        return leases.claim().needsFullLooks();
    }

    @Override
    public void lookAgain(List<Record> rows) {
        leases.claim().lookAgain(rows);
    }

    @Override
    public void reset() {
        leases.claim().reset();
    }
}
