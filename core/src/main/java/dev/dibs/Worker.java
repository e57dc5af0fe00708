package dev.dibs;

import dev.dibs.spi.QueueRef;
import dev.dibs.wake.WakeRegistry.Subscription;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running consumer of one queue. Safe for any thread.
 *
 * <p>Made by {@link WorkerBuilder}; it runs from then on until it is closed.
 */
public final class Worker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final QueueRef queue;
    private final ClaimLoop loop;
    private final Thread thread;
    private final Slots slots;
    private final Settings settings;
    private final ShutdownHook shutdownHook;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    Worker(QueueRef queue, ClaimLoop loop, Slots slots, Settings settings) {
        this.queue = queue;
        this.loop = loop;
        this.slots = slots;
        this.settings = settings;
        this.thread = new Thread(loop, "queue-%s-claim".formatted(queue.name()));
        this.shutdownHook = new ShutdownHook(queue.name(), this::close);
    }

    void start() {
        if (settings.closeOnShutdown()) {
            shutdownHook.register();
        }
        thread.start();
    }

    /** Waits until the worker is closed. */
    public void join() throws InterruptedException {
        closed.await();
    }

    /** {@link #close(Duration)} with the deadline that the builder was given. */
    @Override
    public void close() {
        close(settings.shutdownDeadline());
    }

    /**
     * Stops claiming, gives back rows that no handler has seen, and waits for the handlers at work.
     *
     * <p>What is not done by the deadline is left to its lease and comes back. Closing twice is fine: the second call
     * waits for the first. An interrupt ends the wait, not the drain.
     */
    public void close(Duration deadline) {
        if (closing.compareAndSet(false, true)) {
            drain(deadline);
        } else {
            awaitClosed(deadline);
        }
    }

    private void drain(Duration deadline) {
        var wait = TimeUnit.NANOSECONDS.convert(deadline);
        var end = System.nanoTime() + wait;
        loop.close();
        settings.subscription().close();
        try {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)));
            if (!slots.awaitIdle(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
                LOG.warn("{}: handlers were still at work after {}; their messages come back", queue, deadline);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            slots.shutdown();
            shutdownHook.unregister();
            closed.countDown();
        }
    }

    private void awaitClosed(Duration deadline) {
        try {
            closed.await(TimeUnit.NANOSECONDS.convert(deadline), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a worker needs to end. */
    record Settings(Duration shutdownDeadline, Subscription subscription, boolean closeOnShutdown) {}
}
