package dev.dibs.benchmarks;

import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.impl.DSL;

/**
 * Enqueuers and handlers at once, sixteen of each, until so many messages are handled: how quick, how many failures reached
 * the user, and the heap that is in use after a collection at each tenth.
 *
 * <p>Arguments: the database, and the number of messages.
 */
public final class Endurance implements QueueEvents {

    private static final int THREADS = 16;
    private static final int CONNECTIONS = 24;
    private static final int DEPTH = 10_000;
    private static final int PARTS = 10;
    private static final int MEGABYTE = 1 << 20;

    private final Semaphore room = new Semaphore(DEPTH);
    private final AtomicLong handled = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    private Endurance() {}

    /** Measures. */
    public static void main(String[] args) throws Exception {
        new Endurance().run(Database.of(args[0]), Long.parseLong(args[1]));
    }

    private void run(Database database, long messages) throws InterruptedException {
        var address = database.create();
        try (var pool = address.pool(CONNECTIONS)) {
            QueueSchema.migrate(pool);
            var queue = Queue.of(DSL.using(pool, address.dialect()), ManagedQueue.ofText(), Backlog.QUEUE);
            var enqueuers = Executors.newFixedThreadPool(THREADS);
            var start = System.nanoTime();
            try (var worker = queue.worker().concurrency(THREADS).events(this).consume(payload -> {})) {
                for (int thread = 0; thread < THREADS; thread++) {
                    enqueuers.execute(() -> enqueue(queue, messages / THREADS));
                }
                for (int part = 1; part <= PARTS; part++) {
                    awaitHandled(messages / THREADS * THREADS * part / PARTS);
                    System.out.printf("%s: %,d handled, %d MB in use%n", database, handled.get(), heap());
                }
                System.out.printf("%s: %s%n", database, worker.state());
            } finally {
                enqueuers.shutdownNow();
            }
            var seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
            System.out.printf(
                    "%s: %,d messages/s, %d failures%n", database, Math.round(handled.get() / seconds), failures.get());
        }
    }

    private void enqueue(Queue<String> queue, long messages) {
        for (long message = 0; message < messages; message++) {
            room.acquireUninterruptibly();
            try {
                queue.enqueue("a message");
            } catch (RuntimeException failure) {
                failed("enqueue", failure);
                room.release();
            }
        }
    }

    private void awaitHandled(long messages) throws InterruptedException {
        while (handled.get() + failures.get() < messages) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEGABYTE;
    }

    @Override
    public void done(String queue, Object id, Duration handling) {
        handled.incrementAndGet();
        room.release();
    }

    @Override
    public void claimFailed(String queue, Throwable failure) {
        failed("claim", failure);
    }

    @Override
    public void settlementFailed(String queue, Object id, Throwable failure) {
        failed("settlement", failure);
    }

    @Override
    public void lost(String queue, Object id) {
        failed("lost", new IllegalStateException("message " + id + " was lost"));
    }

    private void failed(String what, Throwable failure) {
        failures.incrementAndGet();
        System.out.printf("%s failed: %s%n", what, failure);
    }
}
