package dev.dibs.spi;

import dev.dibs.wake.WakeRegistry.Subscription;
import java.time.Duration;
import java.util.Optional;

/** What a worker knows of how it is woken. It sleeps and awakes on one thread; the rest is safe for any. */
@FunctionalInterface
public interface Listening extends Subscription {

    /**
     * The worker falls asleep, for it has found nothing.
     *
     * @param lookedFullySince when its look began, by {@link System#nanoTime()}; empty if that was no full one
     * @param poll how long it would sleep by itself
     * @return how long it may sleep, unless it is woken
     */
    default Duration asleep(Optional<Long> lookedFullySince, Duration poll) {
        return poll;
    }

    /** It is awake again. */
    default void awake() {}

    /** Why what others write is found by polling only, for people; empty if it is not, or nothing else was asked for. */
    default Optional<String> trouble() {
        return Optional.empty();
    }
}
