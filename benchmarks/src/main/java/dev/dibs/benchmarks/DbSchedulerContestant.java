package dev.dibs.benchmarks;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.testkit.Address;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;

/** db-scheduler by lock-and-fetch, with the limits that its own documentation measured best. */
final class DbSchedulerContestant implements Contestant {

    private static final double LOWER_LIMIT = 0.5;
    private static final double UPPER_LIMIT = 4.0;
    private static final int SPARE_CONNECTIONS = 8;

    private final HikariDataSource pool;
    private final int threads;
    private final AtomicLong ids = new AtomicLong();
    private volatile IntConsumer handled = count -> {};
    private final OneTimeTask<Void> task = Tasks.oneTime("message").execute((instance, context) -> handled.accept(1));

    // The table of its documentation.
    DbSchedulerContestant(Address address, int threads) throws SQLException {
        this.pool = address.pool(threads + SPARE_CONNECTIONS);
        this.threads = threads;
        Sql.execute(
                pool,
                """
                create table scheduled_tasks (
                  task_name text not null,
                  task_instance text not null,
                  task_data bytea,
                  execution_time timestamp with time zone not null,
                  picked boolean not null,
                  picked_by text,
                  last_success timestamp with time zone,
                  last_failure timestamp with time zone,
                  consecutive_failures int,
                  last_heartbeat timestamp with time zone,
                  version bigint not null,
                  priority smallint,
                  primary key (task_name, task_instance)
                )""",
                "create index execution_time_idx on scheduled_tasks (execution_time)",
                "create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)");
    }

    @Override
    public void enqueue(int messages) {
        var now = Instant.now();
        scheduler()
                .scheduleBatch(
                        LongStream.range(0, messages)
                                .<TaskInstance<?>>mapToObj(
                                        message -> task.instance(Long.toString(ids.incrementAndGet())))
                                .toList(),
                        now);
    }

    @Override
    public AutoCloseable start(IntConsumer listener) {
        handled = listener;
        var scheduler = scheduler();
        scheduler.start();
        return scheduler::stop;
    }

    private Scheduler scheduler() {
        return Scheduler.create(pool, task)
                .threads(threads)
                .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
                .pollingInterval(Duration.ofMillis(100))
                .build();
    }

    @Override
    public long left() throws SQLException {
        return Sql.count(pool, "select count(*) from scheduled_tasks");
    }

    @Override
    public void close() {
        pool.close();
    }
}
