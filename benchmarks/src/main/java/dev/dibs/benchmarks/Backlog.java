package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.table.QueueTable;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
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

    static final int MESSAGES = 20_000;
    static final String QUEUE = "benchmark";

    private static final int SPARE_CONNECTIONS = 4;
    private static final Name TABLE = DSL.name("dibs_message");

    /** The database, as {@link dev.dibs.testkit.TestDatabase} has it: postgresql, mysql, mariadb or sqlite. */
    @Param({"postgresql", "sqlite"})
    public String database = "postgresql";

    /** Handlers of the worker, or threads of the raw loop. */
    @Param({"1", "16"})
    public int threads = 1;

    @Nullable
    HikariDataSource pool;

    @Nullable
    Queue<String> queue;

    @Nullable
    Queue<String> locking;

    /** For JMH. */
    public Backlog() {}

    /** Makes the database. */
    @Setup(Level.Trial)
    public void create() {
        var address = kind().create();
        pool = address.pool(threads + SPARE_CONNECTIONS);
        QueueSchema.migrate(pool);
        var dsl = DSL.using(pool, address.dialect());
        queue = Queue.of(dsl, ManagedQueue.ofText(), QUEUE);
        locking = kind() == Database.SQLITE ? null : Queue.of(dsl, rowLocks(), QUEUE);
    }

    /** The same table without a lease, so that claims hold its rows by their locks. */
    static QueueTable<String> rowLocks() {
        Table<?> table = DSL.table(TABLE);
        return QueueTable.of(table, column("id", Long.class), DSL.field(TABLE.append("payload"), SQLDataType.CLOB))
                .queue(column("queue", String.class))
                .priority(column("priority", Integer.class))
                .dueAt(column("due_at", Long.class));
    }

    private static <T> Field<T> column(String name, Class<T> type) {
        return DSL.field(TABLE.append(name), type);
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

    Database kind() {
        return Database.of(database);
    }

    HikariDataSource pool() {
        return made(pool);
    }

    Queue<String> queue() {
        return made(queue);
    }

    Queue<String> locking() {
        return Objects.requireNonNull(locking, "SQLite has no row lock form");
    }

    private static <T> T made(@Nullable T thing) {
        return Objects.requireNonNull(thing, "it is made by the set-up");
    }
}
