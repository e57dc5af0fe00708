package dev.dibs;

import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * When a failed message is tried again, and how often.
 *
 * @param attempts how many deliveries a message gets in all; {@link #NO_LIMIT} for no limit
 * @param delays the delay after the n-th failed delivery, n starting at 1
 * @param exceptions policies of their own for failures of some types, the first that fits
 */
public record RetryPolicy(int attempts, IntFunction<Duration> delays, List<ForException> exceptions) {

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
        exceptions = List.copyOf(exceptions);
    }

    /** One policy for all failures. */
    public RetryPolicy(int attempts, IntFunction<Duration> delays) {
        this(attempts, delays, List.of());
    }

    /** A policy for failures of one type and those derived from it. */
    public record ForException(Class<? extends Throwable> type, RetryPolicy policy) {}

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

    /** Delays that grow by a step up to a longest one, each drawn at random between nothing and all of it. */
    public static RetryPolicy linear(Duration step, Duration longest) {
        return new RetryPolicy(DEFAULT_ATTEMPTS, new LinearDelays(step, longest));
    }

    /** One delivery, and no other: what fails goes to the dead letters. */
    public static RetryPolicy none() {
        return fixed(Duration.ZERO).attempts(1);
    }

    /** The same delays with another number of deliveries. */
    public RetryPolicy attempts(int deliveries) {
        return new RetryPolicy(deliveries, delays, exceptions);
    }

    /**
     * The same policy, with one of its own for what handlers throw of a type, or of one derived from it. Where several fit,
     * the one that was given first counts. The number of deliveries is of all, whatever each of them ended with.
     */
    public RetryPolicy on(Class<? extends Throwable> type, RetryPolicy policy) {
        return new RetryPolicy(
                attempts,
                delays,
                Stream.concat(exceptions.stream(), Stream.of(new ForException(type, policy)))
                        .toList());
    }

    /** The same delays with no limit. */
    public RetryPolicy withoutLimit() {
        return attempts(NO_LIMIT);
    }

    /** The delay after the n-th failed delivery. */
    Duration delayAfter(int failures) {
        return delays.apply(failures);
    }

    /** The policy for a failure; this one where none is thrown, or no other fits. */
    RetryPolicy of(Optional<Throwable> thrown) {
        return thrown.stream()
                .flatMap(failure -> exceptions.stream()
                        .filter(each -> each.type().isInstance(failure))
                        .map(each -> each.policy().of(thrown)))
                .findFirst()
                .orElse(this);
    }

    /** The fewest deliveries after which some failure is the last. */
    int lowestLimit() {
        return exceptions.stream().mapToInt(each -> each.policy().lowestLimit()).reduce(attempts, Math::min);
    }

    /** Whether that many deliveries are all that there are. */
    boolean isSpent(int deliveries) {
        return attempts != NO_LIMIT && deliveries >= attempts;
    }
}
