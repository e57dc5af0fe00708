package dev.dibs.time;

import java.time.Duration;
import java.time.Instant;

/** Times as microseconds since 1970 in UTC, which a signed 64-bit number holds up to the year 294,246. */
public final class Micros {

    private static final long PER_SECOND = 1_000_000;

    /** The last instant that a queue can store. */
    public static final Instant MAX = at(Long.MAX_VALUE);

    /** The longest delay or lease: far beyond any plan, and safe to add to any time of today. */
    public static final Duration LONGEST = Duration.ofDays(36_525);

    private Micros() {}

    /**
     * An instant in microseconds; finer parts are cut.
     *
     * @throws IllegalArgumentException if it lies outside of what 64 bits hold
     */
    public static long of(Instant instant) {
        try {
            var seconds = Math.multiplyExact(instant.getEpochSecond(), PER_SECOND);
            return Math.addExact(seconds, instant.getNano() / 1_000);
        } catch (ArithmeticException outOfRange) {
            throw new IllegalArgumentException(
                    "the time %s cannot be stored; the last that can is %s".formatted(instant, MAX), outOfRange);
        }
    }

    /**
     * A duration in microseconds, rounded up, so that nothing becomes due earlier than asked.
     *
     * @throws IllegalArgumentException if it is negative or longer than {@link #LONGEST}
     */
    public static long of(Duration duration) {
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a delay of %s cannot be stored; it lies between zero and %d days"
                    .formatted(duration, LONGEST.toDays()));
        }
        return duration.plusNanos(999).dividedBy(Duration.ofNanos(1_000));
    }

    /** The instant of a number of microseconds. */
    public static Instant at(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * 1_000);
    }
}
