package dev.dibs;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The places where handlers run, as many as the worker's concurrency.
 *
 * <p>One thread, the claim loop's, takes places; any thread may stop it.
 */
final class Slots {

    private final Semaphore free;
    private final ExecutorService threads;

    Slots(int size, ExecutorService threads) {
        this.free = new Semaphore(size);
        this.threads = threads;
    }

    /** Waits until a place is free, and answers how many are. */
    int awaitRoom() throws InterruptedException {
        free.acquire();
        var room = 1 + free.drainPermits();
        free.release(room);
        return room;
    }

    /** Runs the work in a place; the caller has seen that there is one. */
    void run(Runnable work) {
        free.acquireUninterruptibly();
        try {
            threads.execute(() -> {
                try {
                    work.run();
                } finally {
                    free.release();
                }
            });
        } catch (RuntimeException | Error noThread) {
            free.release();
            throw noThread;
        }
    }

    /** Lets the loop go on if it waits for a place; it is about to end. */
    void stopWaiting() {
        free.release();
    }

    /** Starts no handler any more; those at work run on. */
    void shutdown() {
        threads.shutdown();
    }

    /** Waits until no handler runs any more, but no longer than the timeout. */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        threads.shutdown();
        return threads.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
}
