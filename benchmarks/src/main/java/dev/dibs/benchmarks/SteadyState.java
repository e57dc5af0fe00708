package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.impl.DSL;

/**
 * Messages a second while producers hold the depth of the queue, for a worker and for a raw loop whose claim begins at the
 * head of the index: undisturbed, while another session holds a snapshot, and after that.
 *
 * <p>Arguments: the database, and the seconds of each of these three phases.
 */
public final class SteadyState {

    private static final int DEPTH = 4_000;
    private static final int ROWS = 500;
    private static final int PRODUCERS = 3;
    private static final int HANDLERS = 16;
    private static final int CONNECTIONS = 8;

    private final HikariDataSource pool;
    private final Queue<String> queue;
    private final Semaphore room = new Semaphore(DEPTH);
    private final AtomicLong handled = new AtomicLong();
    private final CountDownLatch over = new CountDownLatch(1);

    private SteadyState(HikariDataSource pool, Queue<String> queue) {
        this.pool = pool;
        this.queue = queue;
    }

    /** Measures both, one after the other, each in a database of its own. */
    public static void main(String[] args) throws Exception {
        var database = Database.of(args[0]);
        var seconds = Integer.parseInt(args[1]);
        System.out.printf("%-10s %-16s %12s %12s %12s%n", "database", "", "undisturbed", "held", "after");
        measure(database, "worker", seconds, SteadyState::work);
        measure(database, "raw from head", seconds, run -> run.loop(database));
    }

    private static void measure(Database database, String name, int seconds, Contestant contestant) throws Exception {
        var address = database.create();
        var threads = Executors.newFixedThreadPool(PRODUCERS + 1);
        try (var pool = address.pool(CONNECTIONS)) {
            QueueSchema.migrate(pool);
            var run = new SteadyState(
                    pool, Queue.of(DSL.using(pool, address.dialect()), ManagedQueue.ofText(), Backlog.QUEUE));
            var producing = new ArrayList<Future<Boolean>>();
            for (int producer = 0; producer < PRODUCERS; producer++) {
                producing.add(threads.submit(run::produce));
            }
            var draining = threads.submit(() -> contestant.drain(run));
            run.ratePerSecond(seconds); // warm-up
            var undisturbed = run.ratePerSecond(seconds);
            var held = run.rateWhileASnapshotIsHeld(seconds);
            var after = run.ratePerSecond(seconds);
            run.over.countDown();
            for (var ended : producing) {
                ended.get();
            }
            draining.get();
            System.out.printf("%-10s %-16s %,12d %,12d %,12d%n", database, name, undisturbed, held, after);
        } finally {
            threads.shutdownNow();
        }
    }

    private long ratePerSecond(int seconds) throws InterruptedException {
        var before = handled.get();
        var start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        return (handled.get() - before) * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - start);
    }

    private long rateWhileASnapshotIsHeld(int seconds) throws SQLException, InterruptedException {
        try (var holder = pool.getConnection()) {
            holder.setAutoCommit(false);
            holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (var statement = holder.createStatement()) {
                statement.execute("select count(*) from dibs_message where id = 0");
            }
            var rate = ratePerSecond(seconds);
            holder.rollback();
            return rate;
        }
    }

    private boolean produce() throws InterruptedException {
        var messages = Collections.nCopies(ROWS, "a message");
        while (over.getCount() > 0) {
            if (room.tryAcquire(ROWS, 1, TimeUnit.SECONDS)) {
                queue.enqueueAll(messages);
            }
        }
        return true;
    }

    private void done(int messages) {
        handled.addAndGet(messages);
        room.release(messages);
    }

    private boolean work() throws InterruptedException {
        try (var worker = queue.worker().concurrency(HANDLERS).consume(payload -> done(1))) {
            over.await();
        }
        return true;
    }

    private boolean loop(Database database) throws SQLException {
        try (var connection = pool.getConnection();
                var raw = new RawJdbc(connection, database)) {
            while (over.getCount() > 0) {
                done(raw.handleMany(ROWS));
            }
        }
        return true;
    }

    /** What drains the queue until the run is over. */
    @FunctionalInterface
    private interface Contestant {
        boolean drain(SteadyState run) throws InterruptedException, SQLException;
    }
}
