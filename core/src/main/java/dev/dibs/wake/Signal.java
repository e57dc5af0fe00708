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

    private final Semaphore permit = new Semaphore(0);

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
        var woken = permit.tryAcquire(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        if (woken) {
            permit.drainPermits();
        }
        return woken;
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
