package dev.dibs;

import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * When a failed message is tried again, and how often.
 *
 * @param attempts how many deliveries a message gets in all; {@link #NO_LIMIT} for no limit
 * @param delays the delay after the n-th failed delivery, n starting at 1
 */
public record RetryPolicy(int attempts, IntFunction<Duration> delays) {

    /** As many deliveries as it takes. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    /** Half a day of an outage at most, with the default delays. */
    public static final int DEFAULT_ATTEMPTS = 25;

    /** Long enough for a hiccup to pass. */
    public static final Duration DEFAULT_FIRST_DELAY = Duration.ofSeconds(1);

    /** Often enough that a repaired system is back within the hour. */
    public static final Duration DEFAULT_LONGEST_DELAY = Duration.ofHours(1);

    /** Checks the number of attempts. */
    public RetryPolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("a message gets %d deliveries; it is at least 1".formatted(attempts));
        }
    }

    /** {@link #exponential} from one second to one hour. */
    public static RetryPolicy ofDefaults() {
        return exponential(DEFAULT_FIRST_DELAY, DEFAULT_LONGEST_DELAY);
    }

    /**
     * Delays that double up to a longest one, each drawn at random between nothing and all of it, so that a crowd that
     * failed together does not come back together.
     */
    public static RetryPolicy exponential(Duration first, Duration longest) {
        return new RetryPolicy(DEFAULT_ATTEMPTS, new ExponentialDelays(first, longest));
    }

    /** The same delay each time. */
    public static RetryPolicy fixed(Duration delay) {
        Micros.of(delay); // refuses what cannot be kept
        return new RetryPolicy(DEFAULT_ATTEMPTS, failures -> delay);
    }

    /** The same delays with another number of deliveries. */
    public RetryPolicy attempts(int deliveries) {
        return new RetryPolicy(deliveries, delays);
    }

    /** The same delays with no limit. */
    public RetryPolicy withoutLimit() {
        return attempts(NO_LIMIT);
    }

    /** The delay after the n-th failed delivery. */
    Duration delayAfter(int failures) {
        return delays.apply(failures);
    }

    /** Whether that many deliveries are all that there are. */
    boolean isSpent(int deliveries) {
        return attempts != NO_LIMIT && deliveries >= attempts;
    }
}
