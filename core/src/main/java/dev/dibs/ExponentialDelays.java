package dev.dibs;

import java.time.Duration;
import java.util.function.IntFunction;

/** Delays that double with each failure up to a longest one, with full jitter. */
record ExponentialDelays(Duration first, Duration longest) implements IntFunction<Duration> {

    /** More doublings than any duration has bits. */
    private static final int MOST_DOUBLINGS = 62;

    ExponentialDelays {
        Jitter.requireRange(first, longest);
    }

    @Override
    public Duration apply(int failures) {
        return Jitter.full(ceilingAfter(failures));
    }

    /** The delay before jitter: doubled without overflow. */
    Duration ceilingAfter(int failures) {
        var doublings = Math.min(Math.max(failures - 1, 0), MOST_DOUBLINGS);
        var room = longest.dividedBy(first);
        return room >> doublings == 0 ? longest : first.multipliedBy(1L << doublings);
    }
}
