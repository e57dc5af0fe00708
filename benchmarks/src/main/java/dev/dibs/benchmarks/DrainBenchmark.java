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
 * Messages a second while a backlog is drained: by a worker, and by raw JDBC loops.
 *
 * <p>The backlog is there before the clock starts, so neither enqueue nor wake-up is measured.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class DrainBenchmark {

    static final int PREFETCH = WorkerBuilder.LARGEST_PREFETCH;

    private static final int MANY = 20_000;

    /** Of those that commit each message by itself. */
    private static final int FEW = 500;

    /** For JMH. */
    public DrainBenchmark() {}

    /** A worker whose handler does nothing, in the lease form. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public void worker(Backlog backlog) throws InterruptedException {
        drain(backlog.queue().worker().concurrency(backlog.threads), MANY);
    }

    /** The same with as many rows waiting for the handlers as pays. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public void bestWorker(Backlog backlog) throws InterruptedException {
        drain(backlog.queue().worker().concurrency(backlog.threads).prefetch(PREFETCH), MANY);
    }

    /** A worker in a form that holds each row by a connection. */
    @Benchmark
    @OperationsPerInvocation(FEW)
    public void holdingWorker(Backlog backlog) throws InterruptedException {
        drain(backlog.queue().worker().concurrency(backlog.threads), FEW);
    }

    /** The raw loop: claim one row, delete it. */
    @Benchmark
    @OperationsPerInvocation(FEW)
    public void rawOneRow(Backlog backlog) throws InterruptedException, ExecutionException {
        loop(backlog, 1);
    }

    /** The raw loop: claim many rows, delete them. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public void rawBatch(Backlog backlog) throws InterruptedException, ExecutionException {
        loop(backlog, backlog.rows);
    }

    @SuppressWarnings("try") // it works until it is closed
    private static void drain(WorkerBuilder<String> builder, int messages) throws InterruptedException {
        var remaining = new CountDownLatch(messages);
        try (var worker = builder.consume(payload -> remaining.countDown())) {
            remaining.await();
        }
    }

    private static void loop(Backlog backlog, int rows) throws InterruptedException, ExecutionException {
        var threads = Executors.newFixedThreadPool(backlog.threads);
        try {
            var loops = new ArrayList<Callable<Boolean>>();
            for (int thread = 0; thread < backlog.threads; thread++) {
                loops.add(() -> handleAll(backlog, rows));
            }
            for (var ended : threads.invokeAll(loops)) {
                ended.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static boolean handleAll(Backlog backlog, int rows) throws SQLException {
        try (var connection = backlog.pool().getConnection();
                var raw = new RawJdbc(connection, backlog.kind())) {
            while (raw.handle(backlog.lockForm(), rows) > 0) {
                // until there is nothing left
            }
        }
        return true;
    }
}
