package dev.dibs;

import dev.dibs.Assembly.Engine;
import dev.dibs.WorkerState.Kind;
import dev.dibs.spi.QueueRef;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
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
    private final Engine engine;
    private final Settings settings;
    private final Thread claiming;
    private final Optional<Thread> settling;
    private final Optional<Thread> looking;
    private final ShutdownHook shutdownHook;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    Worker(QueueRef queue, Engine engine, Settings settings) {
        this.queue = queue;
        this.engine = engine;
        this.settings = settings;
        this.claiming = new Thread(engine.loop(), "queue-%s-claim".formatted(queue.name()));
        this.settling = Optional.ofNullable(engine.settler())
                .map(settler -> new Thread(settler, "queue-%s-settle".formatted(queue.name())));
        this.looking = engine.loop().looks().map(looks -> new Thread(looks, "queue-%s-look".formatted(queue.name())));
        this.shutdownHook = new ShutdownHook(queue.name(), this::close);
    }

    void start() {
        settling.ifPresent(thread -> thread.setDaemon(true)); // the claiming thread keeps the JVM up until it is closed
        if (settings.closeOnShutdown()) {
            shutdownHook.register();
        }
        settling.ifPresent(Thread::start);
        claiming.start();
        looking.ifPresent(Thread::start);
    }

    /**
     * How the worker is, and why. Asks the database whether the queue is paused, where its table keeps that; a database that
     * does not answer is a trouble too.
     */
    public WorkerState state() {
        if (closed.getCount() == 0) {
            return new WorkerState(Kind.CLOSED, "");
        }
        if (closing.get()) {
            return new WorkerState(Kind.CLOSING, "");
        }
        var trouble = engine.health().trouble();
        return trouble != null ? new WorkerState(Kind.DEGRADED, trouble) : pausedOrRunning();
    }

    private WorkerState pausedOrRunning() {
        try {
            return settings.isPaused().getAsBoolean()
                    ? new WorkerState(Kind.PAUSED, "the queue is paused for all instances")
                    : new WorkerState(
                            Kind.RUNNING, engine.loop().listening().trouble().orElse(""));
        } catch (RuntimeException noAnswer) {
            return new WorkerState(Kind.DEGRADED, "the database does not answer: " + ErrorText.of(noAnswer));
        }
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

    // Bounded, whatever hangs: what still runs at the end is left to itself, and its rows to their leases.
    private void drain(Duration deadline) {
        var end = new Deadline(deadline);
        engine.loop().close();
        try {
            claiming.join(end.millis());
            settings.leave().run(); // a wake that came to this one
            looking.orElse(claiming).join(end.millis());
            if (!engine.slots().awaitIdle(end.rest())) {
                LOG.warn("{}: handlers were still at work after {}; their messages come back", queue, deadline);
            }
            closeSettler();
            settling.orElse(claiming).join(end.millis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            closeSettler();
            settings.leave().run(); // rows that it gave back
            engine.end().run();
            shutdownHook.unregister();
            closed.countDown();
        }
    }

    private void closeSettler() {
        Optional.ofNullable(engine.settler()).ifPresent(LeaseSettler::close);
    }

    private void awaitClosed(Duration deadline) {
        try {
            closed.await(TimeUnit.NANOSECONDS.convert(deadline), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private record Deadline(long nanos, long start) {

        Deadline(Duration duration) {
            this(TimeUnit.NANOSECONDS.convert(duration), System.nanoTime());
        }

        Duration rest() {
            return Duration.ofNanos(Math.max(0, nanos - (System.nanoTime() - start)));
        }

        /** For a join, where zero would be for ever. */
        long millis() {
            return Math.max(1, rest().toMillis());
        }
    }

    /**
     * What a worker needs to end, and to know of its queue.
     *
     * @param leave leaves to other workers what this one will not do
     */
    record Settings(Duration shutdownDeadline, boolean closeOnShutdown, BooleanSupplier isPaused, Runnable leave) {}
}
