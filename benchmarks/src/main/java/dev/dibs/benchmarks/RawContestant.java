package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.table.LockForm;
import dev.dibs.testkit.Address;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.jooq.impl.DSL;

/** Raw JDBC loops, each of which claims from the start of the index. Messages are enqueued as Dibs does it. */
final class RawContestant implements Contestant {

    private static final int SPARE_CONNECTIONS = 8;

    private final Database database;
    private final HikariDataSource pool;
    private final Queue<String> queue;
    private final LockForm form;
    private final int threads;
    private final int rows;

    RawContestant(Database database, Address address, LockForm form, int threads, int rows) {
        this.database = database;
        this.pool = address.pool(threads + SPARE_CONNECTIONS);
        this.form = form;
        this.threads = threads;
        this.rows = rows;
        QueueSchema.migrate(pool);
        this.queue = Queue.of(DSL.using(pool, address.dialect()), ManagedQueue.ofText(), Backlog.QUEUE);
    }

    @Override
    public void enqueue(int messages) {
        queue.enqueueAll(Collections.nCopies(messages, "a message"));
    }

    @Override
    public AutoCloseable start(IntConsumer handled) {
        var executor = Executors.newFixedThreadPool(threads);
        var over = new CountDownLatch(1);
        var loops = new ArrayList<Future<Boolean>>();
        for (int thread = 0; thread < threads; thread++) {
            loops.add(executor.submit(() -> loop(over, handled)));
        }
        return () -> {
            over.countDown();
            executor.shutdown();
            for (var loop : loops) {
                loop.get();
            }
        };
    }

    private boolean loop(CountDownLatch over, IntConsumer handled) throws SQLException {
        try (var connection = pool.getConnection();
                var raw = new RawJdbc(connection, database)) {
            while (over.getCount() > 0) {
                handled.accept(raw.handle(form, rows));
            }
        }
        return true;
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
