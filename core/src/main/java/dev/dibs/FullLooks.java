package dev.dibs;

import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Full looks beside a claim loop whose claims pass over what they have seen: for rows whose lease ran out, and others that
 * became ready there again. One thread runs it, on a connection of its own, so that the loop is not delayed.
 *
 * <p>They cost at most a twentieth of the time, but a quarter of the lease is the longest interval: where both cannot hold,
 * the quarter wins, and an event says so.
 */
final class FullLooks implements Runnable {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final int SHARE_OF_TIME = 20;
    private static final int SHARE_OF_LEASE = 4;

    private final Duration longest;
    private final Supplier<Duration> look;
    private final Signal signal = new Signal();
    private volatile boolean closed;

    /**
     * Looks of a worker.
     *
     * @param look makes one, and answers how long it took
     */
    FullLooks(Duration lease, Supplier<Duration> look) {
        this.longest = lease.dividedBy(SHARE_OF_LEASE);
        this.look = look;
    }

    @Override
    public void run() {
        var interval = intervalAfter(Duration.ZERO);
        while (!closed) {
            signal.awaitUninterruptibly(interval);
            interval = closed ? interval : intervalAfter(look.get());
        }
    }

    /** How long to wait after a look that took so long. */
    Duration intervalAfter(Duration took) {
        var cheap = took.multipliedBy(SHARE_OF_TIME);
        var wanted = cheap.compareTo(SHORTEST) < 0 ? SHORTEST : cheap;
        return isTooSlow(took) || wanted.compareTo(longest) > 0 ? longest : wanted;
    }

    /** The longest time between two looks. */
    Duration longest() {
        return longest;
    }

    /** Whether looks that take so long cost more than their share. */
    boolean isTooSlow(Duration took) {
        return took.multipliedBy(SHARE_OF_TIME).compareTo(longest) > 0;
    }

    void close() {
        closed = true;
        signal.wake();
    }
}
