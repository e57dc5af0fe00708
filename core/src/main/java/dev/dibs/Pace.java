package dev.dibs;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long a worker waits between looks that find nothing: each time twice as long, up to its poll interval. For one thread.
 *
 * <p>When a look finds what nobody has announced, others are writing, and it begins anew.
 */
final class Pace {

    /** Short beside what people notice; with the doubling, seven looks more than without in the first second. */
    static final Duration QUICK = Duration.ofMillis(10);

    /** Waits are cut by up to this part at random, so that instances do not look in step. */
    private static final double JITTER = 0.2;

    private final Duration first;
    private final Duration longest;
    private Duration next;

    private Pace(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
        this.next = longest;
    }

    /** The same wait each time. */
    static Pace steady(Duration poll) {
        return new Pace(poll, poll);
    }

    /** Short waits while others write. */
    static Pace adaptive(Duration poll) {
        return new Pace(QUICK.compareTo(poll) < 0 ? QUICK : poll, poll);
    }

    /** A look has found what nobody had announced. */
    void quicken() {
        next = first;
    }

    /** How long to wait after a look that found nothing. */
    Duration afterNothing() {
        var wait = next;
        var twice = wait.multipliedBy(2);
        next = twice.compareTo(longest) < 0 ? twice : longest;
        return jittered(wait);
    }

    private static Duration jittered(Duration wait) {
        var factor = 1 - JITTER * ThreadLocalRandom.current().nextDouble();
        return Duration.ofNanos((long) (wait.toNanos() * factor));
    }
}
