package dev.dibs;

import java.time.Duration;

/** How long to wait between tries at a database that is away: longer each time, and never in step with others. */
final class Backoff {

    private static final int ENOUGH = 100;
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final ExponentialDelays delays;
    private int failures;
    private long until;

    Backoff() {
        this(LONGEST);
    }

    /** One that waits no longer than that, nor than ten seconds. */
    Backoff(Duration longest) {
        var ceiling = longest.compareTo(LONGEST) < 0 ? longest : LONGEST;
        this.delays = new ExponentialDelays(ceiling.compareTo(FIRST) < 0 ? ceiling : FIRST, ceiling);
    }

    /** The wait after one more failure: at least half of what has doubled with each. */
    Duration next() {
        failures = Math.min(failures + 1, ENOUGH);
        return Jitter.upperHalf(delays.ceilingAfter(failures));
    }

    /** One more failure: there is something to wait for from now on, a time of {@link System#nanoTime()}. */
    void failed(long now) {
        until = now + next().toNanos();
    }

    /** How many nanoseconds of that wait are left. */
    long left(long now) {
        return failures == 0 ? 0 : Math.max(0, until - now);
    }

    void reset() {
        failures = 0;
    }
}
