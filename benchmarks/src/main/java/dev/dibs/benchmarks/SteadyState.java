package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * Messages a second while producers hold the depth of the queue, for a worker and for a raw loop whose claim begins at the
 * head of the index: undisturbed, while another session holds a snapshot, and after that.
 *
 * <p>Arguments: the database, the seconds of each of these three phases, and the lock form: lease or row-lock, where the raw
 * loop has as many threads as the worker has handlers.
 */
public final class SteadyState {

    private static final int DEPTH = 4_000;
    private static final int ROWS = 500;
    private static final int PRODUCERS = 3;
    private static final int HANDLERS = 16;
    private static final int CONNECTIONS = 24;

    private final HikariDataSource pool;
    private final Queue<String> leases;
    private final Queue<String> rowLocks;
    private final Semaphore room = new Semaphore(DEPTH);
    private final AtomicLong handled = new AtomicLong();
    private final CountDownLatch over = new CountDownLatch(1);

    private SteadyState(HikariDataSource pool, DSLContext dsl) {
        this.pool = pool;
        this.leases = Queue.of(dsl, ManagedQueue.ofText(), Backlog.QUEUE);
        this.rowLocks = Queue.of(dsl, Backlog.rowLocks(), Backlog.QUEUE);
    }

    /** Measures both, one after the other, each in a database of its own. */
    public static void main(String[] args) throws Exception {
        var database = Database.of(args[0]);
        var seconds = Integer.parseInt(args[1]);
        System.out.printf("%-10s %-16s %12s %12s %12s%n", "database", "", "undisturbed", "held", "after");
        switch (args[2]) {
            case "lease" -> {
                measure(database, "worker", seconds, run -> run.work(run.leases));
                measure(database, "raw from head", seconds, run -> run.loop(database, raw -> raw.handleMany(ROWS)));
            }
            case "row-lock" -> {
                measure(database, "row lock worker", seconds, run -> run.work(run.rowLocks));
                measure(database, "raw row locks", seconds, run -> run.loops(database));
            }
            default -> throw new IllegalArgumentException("the form is " + args[2] + "; it is lease or row-lock");
        }
    }

    private static void measure(Database database, String name, int seconds, Contestant contestant) throws Exception {
        var address = database.create();
        var threads = Executors.newFixedThreadPool(PRODUCERS + 1);
        try (var pool = address.pool(CONNECTIONS)) {
            QueueSchema.migrate(pool);
            var run = new SteadyState(pool, DSL.using(pool, address.dialect()));
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
                leases.enqueueAll(messages);
            }
        }
        return true;
    }

    private void done(int messages) {
        handled.addAndGet(messages);
        room.release(messages);
    }

    private boolean work(Queue<String> queue) throws InterruptedException {
        try (var worker = queue.worker().concurrency(HANDLERS).consume(payload -> done(1))) {
            over.await();
        }
        return true;
    }

    private boolean loops(Database database) throws InterruptedException, ExecutionException {
        var threads = Executors.newFixedThreadPool(HANDLERS);
        try {
            Callable<Boolean> loop = () -> loop(database, RawJdbc::handleLocked);
            for (var ended : threads.invokeAll(Collections.nCopies(HANDLERS, loop))) {
                ended.get();
            }
            return true;
        } finally {
            threads.shutdown();
        }
    }

    private boolean loop(Database database, RawJdbc.Turn turn) throws SQLException {
        try (var connection = pool.getConnection();
                var raw = new RawJdbc(connection, database)) {
            while (over.getCount() > 0) {
                done(turn.handled(raw));
            }
        }
        return true;
    }

    /** What drains the queue until the run is over. */
    @FunctionalInterface
    private interface Contestant {
        boolean drain(SteadyState run) throws InterruptedException, SQLException, ExecutionException;
    }
}
