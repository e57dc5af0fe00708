package dev.dibs;

import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The places where handlers run, as many as the worker's concurrency.
 *
 * <p>Any thread may start a handler, one waits for a place, and any may stop it.
 */
final class Slots {

    /** Longer than any wake is late: a second look costs nothing. */
    static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final int size;
    private final Semaphore free;
    private final Executor threads;
    private final Signal changed = new Signal();
    private volatile Runnable freed = () -> {};
    private volatile boolean stopped;

    Slots(int size, Executor threads) {
        this.size = size;
        this.free = new Semaphore(size);
        this.threads = threads;
    }

    /** What is done whenever a place has become free. */
    void onFreed(Runnable action) {
        freed = action;
    }

    /** How many places are free. */
    int free() {
        return free.availablePermits();
    }

    /** Waits until a place is free, and leaves it so; returns at once when it is to stop waiting. */
    void awaitFree() throws InterruptedException {
        while (free.availablePermits() == 0 && !stopped) {
            changed.await(LOOK_AGAIN);
        }
    }

    /**
     * Waits until all places are free, but no longer than until a time of {@link System#nanoTime()}; returns at once when it
     * is to stop waiting.
     *
     * @return whether they are
     */
    boolean awaitAllFree(long until) {
        var left = until - System.nanoTime();
        while (free.availablePermits() < size && !stopped && left > 0) {
            changed.awaitUninterruptibly(Duration.ofNanos(Math.min(left, LOOK_AGAIN.toNanos())));
            left = until - System.nanoTime();
        }
        return free.availablePermits() == size;
    }

    /** Runs the work in a place, if one is free. */
    boolean tryRun(Runnable work) {
        if (!free.tryAcquire()) {
            return false;
        }
        try {
            threads.execute(() -> run(work));
        } catch (RuntimeException | Error noThread) {
            free.release();
            throw noThread;
        }
        return true;
    }

    private void run(Runnable work) {
        try {
            work.run();
        } finally {
            free.release();
            changed.wake();
            freed.run();
        }
    }

    /** Lets the loop go on if it waits for a place; it is about to end. */
    void stopWaiting() {
        stopped = true;
        changed.wake();
    }

    /** Waits until no handler runs any more, but no longer than the timeout. */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        return free.tryAcquire(size, timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
}
