package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.wake.WakeAfterCommit;
import java.io.IOException;
import java.io.StringReader;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.postgresql.PGConnection;

/** Messages a second that are enqueued and committed, beside plain inserts. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@State(Scope.Benchmark)
public class EnqueueBenchmark {

    static final String INSERT = "insert into dibs_message (queue, payload, priority, due_at) values (?, ?, 0, ?)";

    private static final String COPY = "copy dibs_message (queue, payload, priority, due_at) from stdin";
    private static final int MANY = 10_000;
    private static final int ENQUEUERS = 16;
    private static final String PAYLOAD = "a message";
    private static final List<String> PAYLOADS = Collections.nCopies(MANY, PAYLOAD);

    /** The database: postgresql, mysql, mariadb or sqlite. */
    @Param({"postgresql", "sqlite"})
    public String database = "postgresql";

    @Nullable
    private HikariDataSource pool;

    @Nullable
    private DSLContext dsl;

    @Nullable
    private Queue<String> queue;

    /** For JMH. */
    public EnqueueBenchmark() {}

    /** Makes the database. */
    @Setup(Level.Trial)
    public void create(BenchmarkParams benchmark) {
        var created = Database.of(database).create();
        var address = benchmark.getBenchmark().contains(".raw")
                ? Database.of(database).withServerPlans(created)
                : created;
        pool = address.pool(ENQUEUERS);
        QueueSchema.migrate(pool);
        dsl = DSL.using(
                new DefaultConfiguration().set(pool).set(address.dialect()).set(new WakeAfterCommit()));
        queue = Queue.of(dsl, ManagedQueue.ofText(), Backlog.QUEUE);
    }

    /** Empties the table, so that each iteration begins with the same. */
    @Setup(Level.Iteration)
    public void empty() {
        dsl().execute(
                        Database.of(database) == Database.SQLITE
                                ? "delete from dibs_message"
                                : "truncate table dibs_message");
    }

    /** Closes the pool. */
    @TearDown(Level.Trial)
    public void close() {
        pool().close();
    }

    /** One message, in a transaction of its own. */
    @Benchmark
    public void single() {
        queue().enqueue(PAYLOAD);
    }

    /** One message, in a transaction of the caller's. */
    @Benchmark
    public void inTransaction() {
        dsl().transaction(tx -> queue().enqueue(tx, PAYLOAD));
    }

    /** A plain insert, in a transaction. */
    @Benchmark
    public void rawInTransaction() throws SQLException {
        try (var connection = pool().getConnection()) {
            connection.setAutoCommit(false);
            try (var insert = connection.prepareStatement(INSERT)) {
                fill(insert);
                insert.executeUpdate();
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Sixteen threads with one message each at a time, written together. */
    @Benchmark
    @Threads(ENQUEUERS)
    public void grouped() {
        queue().grouped().enqueue(PAYLOAD);
    }

    /** Many in one call. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public void bulk() {
        queue().enqueueAll(PAYLOADS);
    }

    /** Many by plain inserts, as the driver batches them. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public void rawBatch() throws SQLException {
        try (var connection = pool().getConnection()) {
            connection.setAutoCommit(false);
            try (var insert = connection.prepareStatement(INSERT)) {
                for (int row = 0; row < MANY; row++) {
                    fill(insert);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Many by COPY, which PostgreSQL alone has. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public void rawCopy() throws SQLException, IOException {
        try (var connection = pool().getConnection()) {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY, new StringReader(lines()));
        }
    }

    private static String lines() {
        var line = "%s\t%s\t0\t%d%n".formatted(Backlog.QUEUE, PAYLOAD, now());
        return line.repeat(MANY);
    }

    private static void fill(PreparedStatement insert) throws SQLException {
        insert.setString(1, Backlog.QUEUE);
        insert.setString(2, PAYLOAD);
        insert.setLong(3, now());
    }

    private static long now() {
        return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    }

    private HikariDataSource pool() {
        return Objects.requireNonNull(pool, "it is made by the set-up");
    }

    private DSLContext dsl() {
        return Objects.requireNonNull(dsl, "it is made by the set-up");
    }

    private Queue<String> queue() {
        return Objects.requireNonNull(queue, "it is made by the set-up");
    }
}
