package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.table.LockForm;
import java.util.Locale;
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
import org.openjdk.jmh.infra.BenchmarkParams;

/** A database with a backlog of messages, filled up before each invocation with as many as the benchmark drains. */
@State(Scope.Benchmark)
public class Backlog {

    static final String QUEUE = "benchmark";

    private static final int SPARE_CONNECTIONS = 4;

    /** The database: postgresql, mysql, mariadb or sqlite. */
    @Param({"postgresql", "sqlite"})
    public String database = "postgresql";

    /** The lock form: lease, row_lock or advisory. */
    @Param({"lease"})
    public String form = "lease";

    /** Handlers of the worker, or threads of the raw loop. */
    @Param({"16"})
    public int threads = 16;

    /** Rows of a raw claim. */
    @Param({"100"})
    public int rows = 100;

    @Nullable
    private HikariDataSource pool;

    @Nullable
    private Queue<String> queue;

    /** For JMH. */
    public Backlog() {}

    /** Makes the database. */
    @Setup(Level.Trial)
    public void create(BenchmarkParams benchmark) {
        var created = kind().create();
        var address = benchmark.getBenchmark().contains(".raw") ? kind().withServerPlans(created) : created;
        pool = address.pool(threads + SPARE_CONNECTIONS);
        QueueSchema.migrate(pool);
        queue = Queue.of(DSL.using(pool, address.dialect()), Mappings.of(lockForm()), QUEUE);
    }

    /** Fills it up. */
    @Setup(Level.Invocation)
    public void fill(BenchmarkParams benchmark) {
        queue().enqueueAll(IntStream.range(0, benchmark.getOpsPerInvocation())
                .mapToObj(Integer::toString)
                .toList());
    }

    /** Closes the pool. */
    @TearDown(Level.Trial)
    public void close() {
        pool().close();
    }

    Database kind() {
        return Database.of(database);
    }

    LockForm lockForm() {
        return LockForm.valueOf(form.toUpperCase(Locale.ROOT));
    }

    HikariDataSource pool() {
        return Objects.requireNonNull(pool, "it is made by the set-up");
    }

    Queue<String> queue() {
        return Objects.requireNonNull(queue, "it is made by the set-up");
    }
}
