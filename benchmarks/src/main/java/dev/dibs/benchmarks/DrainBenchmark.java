package dev.dibs.benchmarks;

import dev.dibs.WorkerBuilder;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Messages a second while a backlog is drained: by a worker, and by a raw JDBC loop with as many threads.
 *
 * <p>The backlog is there before the clock starts, so neither enqueue nor wake-up is measured.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@OperationsPerInvocation(Backlog.MESSAGES)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class DrainBenchmark {

    private static final int ROWS = 100;
    private static final int PREFETCH = 5_000;

    /** For JMH. */
    public DrainBenchmark() {}

    /** A worker whose handler does nothing. */
    @Benchmark
    public void worker(Backlog backlog) throws InterruptedException {
        drain(backlog.queue().worker().concurrency(backlog.threads));
    }

    /** The same with as many rows waiting for the handlers as pays. */
    @Benchmark
    public void workerWithMorePrefetch(Backlog backlog) throws InterruptedException {
        drain(backlog.queue().worker().concurrency(backlog.threads).prefetch(PREFETCH));
    }

    @SuppressWarnings("try") // it works until it is closed
    private static void drain(WorkerBuilder<String> builder) throws InterruptedException {
        var remaining = new CountDownLatch(Backlog.MESSAGES);
        try (var worker = builder.consume(payload -> remaining.countDown())) {
            remaining.await();
        }
    }

    /** The raw loop: claim one row, delete it. */
    @Benchmark
    public void rawOneRow(Backlog backlog) throws InterruptedException, ExecutionException {
        drain(backlog, RawJdbc::handleOne);
    }

    /** The raw loop: claim a hundred rows, delete them. */
    @Benchmark
    public void rawBatch(Backlog backlog) throws InterruptedException, ExecutionException {
        drain(backlog, raw -> raw.handleMany(ROWS));
    }

    /** A worker in the row lock form. */
    @Benchmark
    public void rowLockWorker(Backlog backlog) throws InterruptedException {
        drain(backlog.locking().worker().concurrency(backlog.threads));
    }

    /** The raw loop of that form: lock one row and delete it, in one transaction. */
    @Benchmark
    public void rawRowLock(Backlog backlog) throws InterruptedException, ExecutionException {
        drain(backlog, RawJdbc::handleLocked);
    }

    private static void drain(Backlog backlog, RawJdbc.Turn turn) throws InterruptedException, ExecutionException {
        var threads = Executors.newFixedThreadPool(backlog.threads);
        try {
            var loops = new ArrayList<Callable<Void>>();
            for (int thread = 0; thread < backlog.threads; thread++) {
                loops.add(() -> loop(backlog, turn));
            }
            for (var ended : threads.invokeAll(loops)) {
                ended.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @SuppressWarnings("NullAway") // Callable<Void> has but one value
    private static Void loop(Backlog backlog, RawJdbc.Turn turn) throws SQLException {
        try (var connection = backlog.pool().getConnection();
                var raw = new RawJdbc(connection, backlog.kind())) {
            while (turn.handled(raw) > 0) {
                // until there is nothing left
            }
        }
        return null;
    }
}
