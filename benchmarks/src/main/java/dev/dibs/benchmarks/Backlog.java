package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.testkit.TestDatabase;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A database with a backlog of messages, filled up before each invocation. */
@State(Scope.Benchmark)
public class Backlog {

    static final int MESSAGES = 10_000;
    static final String QUEUE = "benchmark";
    private static final int SPARE_CONNECTIONS = 4;

    /** The database, as {@link TestDatabase} has it. */
    @Param({"postgresql", "sqlite"})
    public String database = "postgresql";

    /** Handlers of the worker, or threads of the raw loop. */
    @Param({"1", "16"})
    public int threads = 1;

    @Nullable
    HikariDataSource pool;

    @Nullable
    Queue<String> queue;

    /** For JMH. */
    public Backlog() {}

    /** Makes the database. */
    @Setup(Level.Trial)
    public void create() {
        var address = "sqlite".equals(database)
                ? TestDatabase.sqlite().newDatabase()
                : TestDatabase.postgresql().newDatabase();
        pool = address.pool(threads + SPARE_CONNECTIONS);
        QueueSchema.migrate(pool);
        queue = Queue.of(DSL.using(pool, address.dialect()), ManagedQueue.ofText(), QUEUE);
    }

    /** Fills it up. */
    @Setup(Level.Invocation)
    public void fill() {
        queue().enqueueAll(
                        IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toList());
    }

    /** Closes the pool. */
    @TearDown(Level.Trial)
    public void close() {
        pool().close();
    }

    HikariDataSource pool() {
        return Objects.requireNonNull(pool, "the pool is made by the set-up");
    }

    Queue<String> queue() {
        return Objects.requireNonNull(queue, "the queue is made by the set-up");
    }
}
