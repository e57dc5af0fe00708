package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.Worker;
import dev.dibs.WorkerState.Kind;
import dev.dibs.postgres.Notifications;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.PgBouncer;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Workers and writers behind a PgBouncer that lends server connections by the transaction. */
@Timeout(180)
final class PgBouncerWakingTest {

    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SERVER_CONNECTIONS = 8;
    private static final int WRITERS = 4;
    private static final int ROUNDS = 60;
    private static final String INSERT = "insert into dibs_message (queue, payload) values ('mail', ?)";
    private static final String LOCKS =
            "select * from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";

    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Address server;
    private Address pooler;
    private DSLContext elsewhere;

    @BeforeEach
    void migrate() throws IOException {
        server = TestDatabase.postgresql().newDatabase();
        var bouncer = PgBouncer.inFrontOf(server, SERVER_CONNECTIONS);
        opened.add(bouncer);
        pooler = bouncer.address();
        elsewhere = instance();
        QueueSchema.migrate(pool(pooler, 2));
    }

    @AfterEach
    void close() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    /** C12: what migrations lock must not stay behind. */
    @Test
    void c12MigratingTwiceLeavesNoLock() {
        QueueSchema.migrate(pool(pooler, 2));

        assertThat(elsewhere.fetch(LOCKS)).isEmpty();
        assertThat(elsewhere.fetchCount(DIBS_MESSAGE)).isZero();
    }

    /** C12: LISTEN goes well behind the pooler, and nothing is ever delivered. */
    @Test
    void c12AListenerBehindThePoolerIsNotReliedOnAndItsWorkersPoll() throws Exception {
        var warnings = warningsOfListeners();
        var dsl = instance();
        opened.add(Notifications.open(dsl));
        announce();
        var worker = worker(dsl, SOON, new AtomicInteger());
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(worker.state().reason()).contains("did not arrive", "listenOn"));

        assertThat(List.copyOf(warnings.list))
                .anySatisfy(warning ->
                        assertThat(warning.getThrowableProxy().getMessage()).contains("listenOn(..)"));

        elsewhere.execute(INSERT, "found by polling");

        assertThat(next()).isEqualTo("found by polling");
        assertThat(worker.state().kind()).isEqualTo(Kind.RUNNING);
        assertThat(elsewhere.fetch(LOCKS)).isEmpty();
    }

    @Test
    void aWorkerWhoseListenerHasAConnectionToTheServerIsWokenByAnEnqueueThroughThePooler() throws Exception {
        listenDirectly(elsewhere, NEVER);
        asleep();

        queue(elsewhere).enqueue("from elsewhere");

        assertThat(next()).isEqualTo("from elsewhere");
    }

    @Test
    void aWorkerWhoseListenerHasAConnectionToTheServerIsWokenByAPlainInsertThroughThePooler() throws Exception {
        announce();
        asleep();

        elsewhere.execute(INSERT, "by plain SQL");

        assertThat(next()).isEqualTo("by plain SQL");
    }

    /** C12: the trigger's lock is taken and let go of on the same server connection. */
    @Test
    void c12InsertsThroughThePoolerLeaveNoLock() {
        announce();
        for (int insert = 0; insert < ROUNDS; insert++) {
            elsewhere.execute(INSERT, "by plain SQL");
        }

        assertThat(elsewhere.fetch(LOCKS)).isEmpty();
    }

    @Test
    void noRowWaitsForTheEndOfALongSleepWhileAllButTheListenersGoesThroughThePooler() throws Exception {
        announce();
        Map<String, Boolean> committed = new ConcurrentHashMap<>();
        for (int instance = 0; instance < 2; instance++) {
            var dsl = instance();
            listenDirectly(dsl, NEVER);
            worker(dsl, SOON, new AtomicInteger()); // until it may sleep long
        }
        var threads = Executors.newFixedThreadPool(WRITERS);
        opened.add(threads::shutdownNow);
        var writing = new ArrayList<Future<Boolean>>();
        for (int writer = 0; writer < WRITERS; writer++) {
            var number = writer;
            writing.add(threads.submit((Callable<Boolean>) () -> write(number, committed)));
        }
        for (var end : writing) {
            assertThat(end.get(120, TimeUnit.SECONDS)).isTrue();
        }

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrderElementsOf(committed.keySet()));
    }

    /** In transactions of different lengths, between which workers have time to fall asleep, or have not. */
    private boolean write(int writer, Map<String, Boolean> committed) {
        var random = new Random(writer);
        for (int round = 0; round < ROUNDS; round++) {
            var payload = writer + ":" + round;
            elsewhere.transaction(tx -> {
                tx.dsl().execute(INSERT, payload);
                tx.dsl().execute("select pg_sleep(?)", random.nextInt(5) == 0 ? 0.5 : 0);
            });
            committed.put(payload, true);
            elsewhere.execute("select pg_sleep(?)", random.nextInt(4) == 0 ? 0.7 : 0.02 * random.nextInt(4));
        }
        return true;
    }

    private ListAppender<ILoggingEvent> warningsOfListeners() {
        var logger = (Logger) LoggerFactory.getLogger("dev.dibs.postgres.Listener");
        var warnings = new ListAppender<ILoggingEvent>();
        warnings.start();
        logger.addAppender(warnings);
        opened.add(() -> logger.detachAppender(warnings));
        return warnings;
    }

    private void announce() {
        QueueSchema.announce(pool(pooler, 2), DIBS_MESSAGE, Announcement.ON_DEMAND);
    }

    private void listenDirectly(DSLContext dsl, Duration longestSleep) {
        opened.add(Notifications.builder(dsl)
                .listenOn(pool(server, 1))
                .longestSleep(longestSleep)
                .open());
    }

    private void asleep() {
        var dsl = instance();
        listenDirectly(dsl, NEVER);
        var claims = new AtomicInteger();
        var worker = worker(dsl, NEVER, claims);
        Awaitility.await().atMost(PATIENCE).until(() -> worker.state().reason().isEmpty());
        Awaitility.await().atMost(PATIENCE).until(() -> {
            var before = claims.get();
            elsewhere.execute("select pg_sleep(1.5)");
            return before > 0 && claims.get() == before;
        });
    }

    private Worker worker(DSLContext dsl, Duration poll, AtomicInteger claims) {
        var worker = queue(dsl)
                .worker()
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

    private static Queue<String> queue(DSLContext dsl) {
        return Queue.of(dsl, ManagedQueue.ofText(), "mail");
    }

    private DSLContext instance() {
        return DSL.using(pool(pooler, 5), SQLDialect.POSTGRES);
    }

    private HikariDataSource pool(Address at, int connections) {
        var pool = at.pool(connections);
        opened.add(pool);
        return pool;
    }

    private String next() throws InterruptedException {
        return handled.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
