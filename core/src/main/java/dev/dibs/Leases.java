package dev.dibs;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * What a worker of the lease form keeps of its rows in hand, and the connection that it keeps for them.
 *
 * @param claim brings the rows
 * @param dsl the reserved connection, for settling and extending
 */
record Leases(Claim claim, InHand inHand, ReservedConnection connection, DSLContext dsl, Health health) {

    /** The leases of one worker. */
    static Leases of(Claim claim, DSLContext pool, InHand inHand, Health health) {
        var connection = new ReservedConnection(pool.configuration().connectionProvider());
        var dsl = pool.configuration().derive(connection.forSettling()).dsl();
        return new Leases(claim, inHand, connection, dsl, health);
    }

    /** Claims such that what comes is in hand before anyone can settle it. */
    Optional<Claimed> claim(ClaimRequest request) {
        var pool = request.dsl().configuration();
        connection.claimBegins();
        try {
            var claimed =
                    claim.claim(request.on(pool.derive(connection.forClaims()).dsl()));
            claimed.ifPresent(rows -> inHand.take(rows, System.nanoTime()));
            return claimed;
        } finally {
            connection.claimEnds(inHand.isEmpty());
        }
    }
}
