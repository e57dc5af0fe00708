package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.Worker;
import dev.dibs.postgres.Notifications;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Workers that would look again after a day only, in instances of their own, and one instance elsewhere. */
@Timeout(180)
abstract class SleepingWorkers {

    static final Duration NEVER = Duration.ofDays(1);
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final String INSERT = "insert into dibs_message (queue, payload) values ('mail', 'by plain SQL')";

    final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    final List<AutoCloseable> opened = new ArrayList<>();
    Address address;
    DSLContext elsewhere;

    @BeforeEach
    void migrate() {
        address = TestDatabase.postgresql().newDatabase();
        elsewhere = instance(address);
        QueueSchema.migrate(pool(address));
    }

    @AfterEach
    void close() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    DSLContext listening(Address at) {
        var dsl = instance(at);
        open(dsl);
        return dsl;
    }

    void open(DSLContext dsl) {
        opened.add(Notifications.open(dsl));
    }

    Worker asleep(DSLContext dsl, Announcement announcement) {
        QueueSchema.announce(pool(address), DIBS_MESSAGE, announcement);
        return sleeping(queue(dsl));
    }

    Worker sleeping(Queue<String> queue) {
        return sleeping(queue, new AtomicInteger());
    }

    Worker sleeping(Queue<String> queue, AtomicInteger claims) {
        var worker = started(queue, NEVER, claims);
        awaitHeard(worker);
        awaitQuiet(claims);
        return worker;
    }

    Worker started(Queue<String> queue, Duration poll, AtomicInteger claims) {
        var worker = queue.worker()
                .pollInterval(poll)
                .lease(NEVER) // looks for leases that ran out come in quarters of it
                .events(new QueueEvents() {
                    @Override
                    public void claimed(String name, int rows) {
                        claims.incrementAndGet();
                    }
                })
                .consume(handled::add);
        opened.add(worker);
        return worker;
    }

    // Longer than listener and worker wait until one sleeps long.
    void awaitQuiet(AtomicInteger looks) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            var before = looks.get();
            elsewhere.execute("select pg_sleep(1.5)");
            return before > 0 && looks.get() == before;
        });
    }

    static void awaitHeard(Worker worker) {
        Awaitility.await().atMost(PATIENCE).until(() -> worker.state().reason().isEmpty());
    }

    static Queue<String> queue(DSLContext dsl) {
        return Queue.of(dsl, ManagedQueue.ofText(), "mail");
    }

    DSLContext instance(Address at) {
        return DSL.using(pool(at), SQLDialect.POSTGRES);
    }

    HikariDataSource pool(Address at) {
        return pool(at, 5);
    }

    HikariDataSource pool(Address at, int connections) {
        var pool = at.pool(connections);
        opened.add(pool);
        return pool;
    }

    String next() throws InterruptedException {
        return handled.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
