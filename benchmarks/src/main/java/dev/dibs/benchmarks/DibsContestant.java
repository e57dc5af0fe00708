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

/** Dibs: a worker whose handlers get one message at a time and do nothing. */
final class DibsContestant implements Contestant {

    private static final int SPARE_CONNECTIONS = 8;

    private final HikariDataSource pool;
    private final Queue<String> queue;
    private final LockForm form;
    private final int handlers;
    private final int prefetch;

    DibsContestant(Address address, LockForm form, int handlers, int prefetch) {
        this.pool = address.pool(handlers + SPARE_CONNECTIONS);
        this.form = form;
        this.handlers = handlers;
        this.prefetch = prefetch;
        QueueSchema.migrate(pool);
        this.queue = Queue.of(DSL.using(pool, address.dialect()), Mappings.of(form), Backlog.QUEUE);
    }

    @Override
    public void enqueue(int messages) {
        queue.enqueueAll(Collections.nCopies(messages, "a message"));
    }

    @Override
    public AutoCloseable start(IntConsumer handled) {
        var worker = queue.worker().concurrency(handlers);
        return (form == LockForm.LEASE ? worker.prefetch(prefetch) : worker).consume(payload -> handled.accept(1));
    }

    @Override
    public long left() throws SQLException {
        return Sql.count(pool, "select count(*) from dibs_message");
    }

    @Override
    public void close() {
        pool.close();
    }
}
