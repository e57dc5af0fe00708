package dev.dibs;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait between tries at a database that is away: longer each time, and never in step with others. */
final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int MOST_DOUBLINGS = 20;

    private int failures;

    /** The wait after one more failure: at least half of what has doubled with each. */
    Duration next() {
        var doubled = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
        failures++;
        var most = Math.min(doubled.toNanos(), LONGEST.toNanos());
        return Duration.ofNanos(most / 2 + ThreadLocalRandom.current().nextLong(most / 2));
    }

    void reset() {
        failures = 0;
    }
}
