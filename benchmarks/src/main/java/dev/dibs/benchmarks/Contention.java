package dev.dibs.benchmarks;

import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.impl.DSL;

/** Enqueuers and handlers at once, sixteen of each: how many failures reach the user. */
final class Contention implements Scenario {

    private static final int THREADS = 16;
    private static final int CONNECTIONS = 24;
    private static final int DEPTH = 10_000;

    @Override
    public String name() {
        return "contention";
    }

    @Override
    public List<String> ids(Database database) {
        return List.of(database + ".deadlocks");
    }

    @Override
    @SuppressWarnings("try") // it works until it is closed
    public void measure(Run run, Database database, Findings findings) throws InterruptedException {
        var address = database.create();
        var watch = new Watch(new Semaphore(DEPTH), new AtomicLong(), new AtomicInteger(), new CountDownLatch(1));
        var seconds = run.size().waiting().seconds();
        var enqueuers = Executors.newFixedThreadPool(THREADS);
        try (var pool = address.pool(CONNECTIONS)) {
            QueueSchema.migrate(pool);
            var queue = Queue.of(DSL.using(pool, address.dialect()), ManagedQueue.ofText(), Backlog.QUEUE);
            try (var worker = queue.worker().concurrency(THREADS).events(watch).consume(payload -> {})) {
                for (int thread = 0; thread < THREADS; thread++) {
                    enqueuers.execute(() -> watch.enqueue(queue));
                }
                TimeUnit.SECONDS.sleep(seconds);
                watch.over.countDown();
                enqueuers.shutdown();
                enqueuers.awaitTermination(1, TimeUnit.MINUTES);
            }
        }
        findings.figure(ids(database).get(0), watch.failures.get());
        findings.remark(
                "%s, contention: %,d messages in %d s, by 16 enqueuers, each in a commit of its own, and 16 handlers; %d failures reached the user"
                        .formatted(database.label(), watch.handled.get(), seconds, watch.failures.get()));
    }

    /** What happens while it lasts. Safe for any thread. */
    private record Watch(Semaphore room, AtomicLong handled, AtomicInteger failures, CountDownLatch over)
            implements QueueEvents {

        void enqueue(Queue<String> queue) {
            while (over.getCount() > 0) {
                try {
                    if (room.tryAcquire(1, TimeUnit.SECONDS)) {
                        queue.enqueue("a message");
                    }
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    return;
                } catch (RuntimeException failure) {
                    failures.incrementAndGet();
                    room.release();
                }
            }
        }

        @Override
        public void done(String queue, Object id, Duration handling) {
            handled.incrementAndGet();
            room.release();
        }

        @Override
        public void claimFailed(String queue, Throwable failure) {
            failures.incrementAndGet();
        }

        @Override
        public void settlementFailed(String queue, Object id, Throwable failure) {
            failures.incrementAndGet();
        }

        @Override
        public void lost(String queue, Object id) {
            failures.incrementAndGet();
        }
    }
}
