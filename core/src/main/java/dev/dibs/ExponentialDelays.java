package dev.dibs;

import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/** Delays that double with each failure up to a longest one, with full jitter. */
record ExponentialDelays(Duration first, Duration longest) implements IntFunction<Duration> {

    /** More doublings than any duration has bits. */
    private static final int MOST_DOUBLINGS = 62;

    ExponentialDelays {
        if (first.isZero()
                || first.isNegative()
                || longest.compareTo(first) < 0
                || longest.compareTo(Micros.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "retry delays from %s to %s: the first is more than zero, the longest no shorter and at most %s"
                            .formatted(first, longest, Micros.LONGEST));
        }
    }

    @Override
    public Duration apply(int failures) {
        var ceiling = ceilingAfter(failures).toNanos();
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(1, ceiling + 1));
    }

    /** The delay before jitter: doubled without overflow. */
    Duration ceilingAfter(int failures) {
        var doublings = Math.min(Math.max(failures - 1, 0), MOST_DOUBLINGS);
        var room = longest.dividedBy(first);
        return room >> doublings == 0 ? longest : first.multipliedBy(1L << doublings);
    }
}
