package dev.dibs;

import java.time.Duration;

/** How long to wait between tries at a database that is away: longer each time, and never in step with others. */
final class Backoff {

    private static final int ENOUGH = 100;

    private final ExponentialDelays delays = new ExponentialDelays(Duration.ofMillis(100), Duration.ofSeconds(10));
    private int failures;

    /** The wait after one more failure: at least half of what has doubled with each. */
    Duration next() {
        failures = Math.min(failures + 1, ENOUGH);
        return Jitter.upperHalf(delays.ceilingAfter(failures));
    }

    void reset() {
        failures = 0;
    }
}
