package dev.dibs;

import dev.dibs.spi.QueueRef;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a worker's claims and settlements reach the database; one line of log for each change. Safe for any thread. */
final class Health {

    private static final Logger LOG = LoggerFactory.getLogger(Health.class);

    private final QueueRef queue;
    private final AtomicReference<@Nullable Throwable> claims = new AtomicReference<>();
    private final AtomicReference<@Nullable Throwable> settlements = new AtomicReference<>();

    Health(QueueRef queue) {
        this.queue = queue;
    }

    void claims() {
        if (claims.get() != null && claims.getAndSet(null) != null) {
            LOG.info("{}: claims work again", queue);
        }
    }

    void doesNotClaim(Throwable failure) {
        if (claims.getAndSet(failure) == null) {
            LOG.warn("{}: a claim failed; trying again until it works", queue, failure);
        }
    }

    void settles() {
        if (settlements.get() != null && settlements.getAndSet(null) != null) {
            LOG.info("{}: messages are settled again", queue);
        }
    }

    void doesNotSettle(Throwable failure) {
        if (settlements.getAndSet(failure) == null) {
            LOG.warn("{}: messages cannot be settled; trying again while their leases last", queue, failure);
        }
    }

    /** What is wrong, or null if nothing is. */
    @Nullable
    String trouble() {
        var claim = claims.get();
        if (claim != null) {
            return "claims fail: " + ErrorText.of(claim);
        }
        var settlement = settlements.get();
        return settlement != null ? "settlements fail: " + ErrorText.of(settlement) : null;
    }
}
