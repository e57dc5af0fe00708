package dev.dibs.wake;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A remembered hint that there may be work.
 *
 * <p>Any thread may wake; one thread waits. A wake that comes while nobody waits is kept, so the next wait returns at
 * once; several of them are one. This is the only place where Dibs sleeps.
 */
public final class Signal {

    /** So far away that nobody lives to see it, and safe to add to any time. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    private final Semaphore permit = new Semaphore(0);
    private volatile boolean isAwaited;
    private volatile long until;

    /** A signal that nobody has woken yet. */
    public Signal() {}

    /** Ends the wait under way, or the next one. */
    public void wake() {
        if (permit.availablePermits() == 0) {
            permit.release();
        }
    }

    /**
     * Waits for a wake, but no longer than the timeout.
     *
     * @return whether it was woken
     */
    public boolean await(Duration timeout) throws InterruptedException {
        var nanos = Math.min(LONGEST, TimeUnit.NANOSECONDS.convert(timeout));
        until = System.nanoTime() + nanos;
        isAwaited = true;
        try {
            var woken = permit.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            if (woken) {
                permit.drainPermits();
            }
            return woken;
        } finally {
            isAwaited = false;
        }
    }

    /** Whether a thread waits that nobody has woken yet. */
    boolean isAsleep() {
        return isAwaited && permit.availablePermits() == 0;
    }

    /** Whether the wait under way will be over by a time of {@link System#nanoTime()}, even if nobody wakes it. */
    boolean isUpBy(long time) {
        return isAwaited && (permit.availablePermits() > 0 || until - time <= 0);
    }

    /** The same for a thread that has nothing to be interrupted for: an interrupt is dropped. */
    public void awaitUninterruptibly(Duration timeout) {
        try {
            await(timeout);
        } catch (InterruptedException meaningless) {
            wake(); // so that the caller looks at what it waits for
        }
    }

    /** Waits for a wake, however long; an interrupt does not end the wait, and is still there after it. */
    public void awaitUninterruptibly() {
        permit.acquireUninterruptibly();
        permit.drainPermits();
    }
}
