package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.table.LockForm;
import dev.dibs.testkit.Address;
import java.sql.SQLException;
import java.util.Collections;
import java.util.function.IntConsumer;
import org.jooq.impl.DSL;

/** The managed table, which Dibs writes to; a worker of Dibs or raw loops handle what is there. */
final class ManagedContestant implements Contestant {

    private static final int SPARE_CONNECTIONS = 8;

    private final HikariDataSource pool;
    private final Queue<String> queue;
    private final Handling handling;

    /**
     * Makes the table.
     *
     * @param threads that handle
     */
    ManagedContestant(Address address, LockForm form, int threads, Handling handling) {
        this.pool = address.pool(threads + SPARE_CONNECTIONS);
        this.handling = handling;
        QueueSchema.migrate(pool);
        this.queue = Queue.of(DSL.using(pool, address.dialect()), Mappings.of(form), Backlog.QUEUE);
    }

    @Override
    public void enqueue(int messages) {
        queue.enqueueAll(Collections.nCopies(messages, "a message"));
    }

    @Override
    public AutoCloseable start(IntConsumer handled) {
        return handling.start(pool, queue, handled);
    }

    @Override
    public long left() throws SQLException {
        return Sql.count(pool, "select count(*) from dibs_message");
    }

    @Override
    public void close() {
        pool.close();
    }

    /** Handles messages until the answer is closed, and tells how many. */
    @FunctionalInterface
    interface Handling {
        AutoCloseable start(HikariDataSource pool, Queue<String> queue, IntConsumer handled);
    }
}
