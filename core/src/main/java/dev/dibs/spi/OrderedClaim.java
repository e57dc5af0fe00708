package dev.dibs.spi;

import java.util.Optional;

/**
 * Claims leases under the locks of their order keys, in one transaction.
 *
 * @param claim the claim's statements, on a request's own connection
 */
public record OrderedClaim<K>(Claim claim, OrderLocks<K> locks, JdbcTransaction transaction) implements Claim {

    @Override
    public Optional<Claimed> claim(ClaimRequest request) {
        try (var open = transaction.open(request.dsl());
                var keys = OrderKeys.lock(request, locks, open)) {
            if (keys.isEmpty()) {
                return Optional.empty();
            }
            var claimed = claim.claim(request.on(open.dsl()).only(keys.ofThem()));
            open.commit();
            return claimed;
        }
    }
}
