package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.table.LockForm;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Threads of raw JDBC, each of which claims rows from the start of the index. */
record RawLoops(Database database, LockForm form, int threads, int rows) implements ManagedContestant.Handling {

    @Override
    public AutoCloseable start(HikariDataSource pool, Queue<String> queue, IntConsumer handled) {
        var executor = Executors.newFixedThreadPool(threads);
        var over = new CountDownLatch(1);
        var loops = new ArrayList<Future<Boolean>>();
        for (int thread = 0; thread < threads; thread++) {
            loops.add(executor.submit(() -> loop(pool, over, handled)));
        }
        return () -> {
            over.countDown();
            executor.shutdown();
            for (var loop : loops) {
                loop.get();
            }
        };
    }

    private boolean loop(HikariDataSource pool, CountDownLatch over, IntConsumer handled) throws SQLException {
        try (var connection = pool.getConnection();
                var raw = new RawJdbc(connection, database)) {
            while (over.getCount() > 0) {
                handled.accept(raw.handle(form, rows));
            }
        }
        return true;
    }
}
