package dev.dibs;

import dev.dibs.spi.Listening;
import dev.dibs.wake.WakeRegistry.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How a worker is woken by this process and by others.
 *
 * @param own ends the subscription to this process's wake-ups
 */
record ListeningToAll(Subscription own, Listening others) implements Listening {

    /** Subscribed to this process already; begins to listen to others, and if that fails ends both. */
    static Listening of(Subscription own, Supplier<Listening> others) {
        try {
            return new ListeningToAll(own, others.get());
        } catch (RuntimeException | Error failed) {
            own.close();
            throw failed;
        }
    }

    @Override
    public Duration asleep(Optional<Long> lookedFullySince, Duration poll) {
        return others.asleep(lookedFullySince, poll);
    }

    @Override
    public void awake() {
        others.awake();
    }

    @Override
    public Optional<String> trouble() {
        return others.trouble();
    }

    @Override
    public void close() {
        own.close();
        others.close();
    }
}
