package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.WorkerState.Kind;
import dev.dibs.postgres.Notifications;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.FreezingProxy;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import dev.dibs.wake.Signal;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** What becomes of the connection that notifications are listened to on, and of the pool that it is taken from. */
final class ListeningTest extends SleepingWorkers {

    /** C09: what is notified while nobody listens is gone. */
    @Test
    void c09AMessageIsFoundThoughItsSleepersLostTheirConnectionJustBefore() throws Exception {
        asleep(listening(address), Announcement.ON_DEMAND);

        elsewhere.fetch(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
        elsewhere.execute(INSERT);

        assertThat(next()).isEqualTo("by plain SQL");
    }

    @Test
    void afterTheirConnectionWasLostWorkersAreWokenAgain() throws Exception {
        var worker = asleep(listening(address), Announcement.ON_DEMAND);
        elsewhere.fetch(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
        elsewhere.execute(INSERT);
        next();
        awaitHeard(worker);

        elsewhere.execute(INSERT);

        assertThat(next()).isEqualTo("by plain SQL");
    }

    @Test
    void c09AfterTheServerWasAwayWorkersAreWokenAgain() throws Exception {
        var operator = instance(TestDatabase.postgresql().newDatabase());
        var database = elsewhere.fetchValue("select current_database()").toString();
        var pool = pool(address);
        pool.setConnectionTimeout(500);
        var dsl = DSL.using(pool, SQLDialect.POSTGRES);
        open(dsl);
        QueueSchema.announce(pool(address), DIBS_MESSAGE, Announcement.ON_DEMAND);
        var claims = new AtomicInteger();
        var worker = sleeping(queue(dsl), claims);

        operator.execute("alter database \"" + database + "\" allow_connections false");
        operator.fetch("select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = ?", database);
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(worker.state().kind()).isEqualTo(Kind.DEGRADED));
        operator.execute("alter database \"" + database + "\" allow_connections true");
        awaitHeard(worker);
        awaitQuiet(claims);
        elsewhere.execute(INSERT);

        assertThat(next()).isEqualTo("by plain SQL");
    }

    /** C09: a pool retires a connection that is in use. */
    @Test
    void c09AfterItsConnectionWasClosedByThePoolWorkersAreWokenAgain() throws Exception {
        var given = new LinkedBlockingQueue<Connection>();
        var dsl = instance(address);
        var server = TestConnections.handingOut(TestConnections.to(address), connection -> {
            given.add(connection);
            return connection;
        });
        opened.add(Notifications.builder(dsl).listenOn(server).open());
        QueueSchema.announce(pool(address), DIBS_MESSAGE, Announcement.ON_DEMAND);
        var claims = new AtomicInteger();
        var worker = sleeping(queue(dsl), claims);

        given.take().close();
        opened.add(given.take());
        awaitHeard(worker);
        awaitQuiet(claims);
        elsewhere.execute(INSERT);

        assertThat(next()).isEqualTo("by plain SQL");
    }

    /** C09: what is notified before anybody listens is not heard later. */
    @Test
    void c09WhatWasInsertedBeforeAnybodyListenedIsFoundThen() throws Exception {
        var isThere = new Signal();
        var dsl = instance(address);
        opened.add(Notifications.builder(dsl)
                .listenOn(TestConnections.handingOut(TestConnections.to(address), connection -> {
                    isThere.awaitUninterruptibly();
                    return connection;
                }))
                .open());
        var claims = new AtomicInteger();
        started(queue(dsl), NEVER, claims);
        awaitQuiet(claims);
        elsewhere.execute(INSERT);

        isThere.wake();

        assertThat(next()).isEqualTo("by plain SQL");
    }

    /** C09: a connection that is dead and looks alive. */
    @Test
    void c09AMessageIsFoundThoughTheListenersConnectionSwallowsAllBytes() throws Exception {
        var proxy = new FreezingProxy(address);
        opened.add(proxy);
        var dsl = instance(address);
        opened.add(Notifications.builder(dsl).listenOn(pool(proxy.address(), 1)).open());
        asleep(dsl, Announcement.ON_DEMAND);

        proxy.abandonConnections();
        elsewhere.execute(INSERT);

        assertThat(next()).isEqualTo("by plain SQL");
    }

    /** C12: LISTEN goes well there, and nothing is ever delivered. */
    @Test
    void c12AConnectionOnWhichNothingArrivesIsNotReliedOn() {
        var dsl = instance(address);
        var elsewhere = pool(TestDatabase.postgresql().newDatabase(), 1);
        opened.add(Notifications.builder(dsl).listenOn(elsewhere).open());
        var worker = queue(dsl).worker().consume(handled::add);
        opened.add(worker);

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(worker.state().reason()).contains("did not arrive", "listenOn"));
    }

    @Test
    void aWorkerTellsWhyItIsNotWoken() throws Exception {
        var dsl = instance(address);
        var away = new HikariDataSource();
        away.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/nowhere");
        away.setInitializationFailTimeout(-1);
        away.setConnectionTimeout(250);
        opened.add(away);
        opened.add(Notifications.builder(dsl).listenOn(away).open());
        var worker = queue(dsl).worker().consume(handled::add);
        opened.add(worker);

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(worker.state().reason()).contains("notifications are not heard"));
        assertThat(worker.state().kind()).isEqualTo(Kind.RUNNING);
    }

    /** C37: idle instances leave the database alone. */
    @Test
    void c37AWorkerThatIsSureToBeWokenAsksTheDatabaseNothing() throws Exception {
        asleep(listening(address), Announcement.ON_DEMAND);
        var activity =
                "select coalesce(max(query_start::text || query), '') from pg_stat_activity where datname = current_database() and query like '%dibs_message%' and pid <> pg_backend_pid()";
        var before = elsewhere.fetchValue(activity);

        elsewhere.execute("select pg_sleep(2.5)");

        assertThat(elsewhere.fetchValue(activity)).isEqualTo(before);
    }

    /** C09, C18: the listener has one connection of the pool for as long as there are workers, and waits for no other. */
    @Test
    void c09ATableThatAnnouncesNoMoreIsPolledAgainThoughHandlersHaveAllOtherConnections() throws Exception {
        var pool = pool(address, 3);
        var dsl = DSL.using(pool, SQLDialect.POSTGRES);
        opened.add(Notifications.builder(dsl).longestSleep(NEVER).open());
        QueueSchema.announce(pool(address), DIBS_MESSAGE, Announcement.ON_DEMAND);
        var claims = new AtomicInteger();
        awaitHeard(started(queue(dsl), Duration.ofMillis(200), claims));
        awaitQuiet(claims);

        var ofHandlers = List.of(pool.getConnection(), pool.getConnection());
        QueueSchema.announce(pool(address), DIBS_MESSAGE, Announcement.OFF);
        var observed = pool(address, 1);
        Awaitility.await().atMost(PATIENCE).until(() -> AdvisoryLocks.held(observed) == 0);
        for (var connection : ofHandlers) {
            connection.close();
        }
        elsewhere.execute(INSERT);

        assertThat(next()).isEqualTo("by plain SQL");
    }

    /** C18: on a pool that is too small handlers take turns, and none waits for ever. */
    @Test
    void c18HandlersHaveAConnectionEachOfAPoolThatIsAlsoListenedOn() throws Exception {
        var pool = pool(address, 3);
        var dsl = DSL.using(pool, SQLDialect.POSTGRES);
        open(dsl);
        var failed = new AtomicInteger();
        var queue = rowLocking(dsl, 3);
        queue.enqueueAll(Collections.nCopies(20, "needs a connection"));

        opened.add(queue.worker()
                .concurrency(2)
                .events(new QueueEvents() {
                    @Override
                    public void retried(String name, Object id, int attempt, Duration delay, String error) {
                        failed.incrementAndGet();
                    }
                })
                .consume(payload -> {
                    try (var connection = pool.getConnection()) {
                        connection.isValid(1);
                    }
                    handled.add(payload);
                }));

        for (int message = 0; message < 20; message++) {
            assertThat(next()).isEqualTo("needs a connection");
        }
        assertThat(failed).hasValue(0);
    }

    @Test
    void aPoolWithoutAConnectionToListenOnIsRefused() {
        var dsl = DSL.using(pool(address, 2), SQLDialect.POSTGRES);
        open(dsl);
        var worker = rowLocking(dsl, 2).worker();

        assertThatThrownBy(() -> worker.consume(handled::add))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", "the pool size is 2", "at least 3", "listenOn(..)");
    }

    @Test
    void aConnectionOfItsOwnToListenOnIsNoneOfThePool() {
        var dsl = DSL.using(pool(address, 2), SQLDialect.POSTGRES);
        opened.add(Notifications.builder(dsl).listenOn(pool(address, 1)).open());

        var worker = rowLocking(dsl, 2).worker().consume(handled::add);
        opened.add(worker);

        awaitHeard(worker);
    }

    @Test
    void connectionsThatComeWithAutoCommitOffServeAsWell() throws Exception {
        open(elsewhere);
        var pool = new HikariDataSource();
        pool.setJdbcUrl(address.url());
        pool.setUsername(address.user());
        pool.setPassword(address.password());
        pool.setAutoCommit(false);
        opened.add(pool);
        var dsl = DSL.using(pool, SQLDialect.POSTGRES);
        open(dsl);
        asleep(dsl, Announcement.OFF);

        queue(elsewhere).enqueue("from elsewhere");

        assertThat(next()).isEqualTo("from elsewhere");
    }

    @Test
    void nothingOfThemIsLeftOnTheConnectionThatGoesBackToThePool() throws Exception {
        var pool = pool(address, 1);
        var dsl = instance(address);
        var notifications = Notifications.builder(dsl).listenOn(pool).open();
        var worker = asleep(dsl, Announcement.ON_DEMAND);

        worker.close();
        notifications.close();

        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var left = statement.executeQuery(
                        "select (select count(*) from pg_listening_channels()) + (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())")) {
            left.next();
            assertThat(left.getInt(1)).isZero();
        }
    }

    private static Queue<String> rowLocking(DSLContext dsl, int poolSize) {
        var table = QueueTable.of(DIBS_MESSAGE, DIBS_MESSAGE.ID, DIBS_MESSAGE.PAYLOAD)
                .queue(DIBS_MESSAGE.QUEUE);
        return Queue.builder(dsl, table, "mail").poolSize(poolSize).build();
    }
}
