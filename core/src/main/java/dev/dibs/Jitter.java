package dev.dibs;

import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Durations drawn at random, so that what failed together does not come back together. */
final class Jitter {

    private Jitter() {}

    /** Anything more than zero and up to all of it. */
    static Duration full(Duration ceiling) {
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(1, ceiling.toNanos() + 1));
    }

    /** At least half of it. */
    static Duration upperHalf(Duration most) {
        var half = most.toNanos() / 2;
        return Duration.ofNanos(half + ThreadLocalRandom.current().nextLong(half + 1));
    }

    /** Refuses delays that cannot be drawn or kept. */
    static void requireRange(Duration first, Duration longest) {
        if (first.isZero()
                || first.isNegative()
                || longest.compareTo(first) < 0
                || longest.compareTo(Micros.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "retry delays from %s to %s: the first is more than zero, the longest no shorter and at most %s"
                            .formatted(first, longest, Micros.LONGEST));
        }
    }
}
