package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.Signals;
import dev.dibs.Worker;
import dev.dibs.WorkerState.Kind;
import dev.dibs.postgres.Notifications;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.FreezingProxy;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers that would look again after a day only, and programs elsewhere that wake them. */
@Timeout(180)
final class NotificationsTest {

    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String INSERT = "insert into dibs_message (queue, payload) values ('mail', 'by plain SQL')";

    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Address address;
    private DSLContext elsewhere;

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

    @Test
    void anEnqueueWakesAWorkerOfAnotherProcess() throws Exception {
        open(elsewhere);
        asleep(listening(address), Announcement.OFF);

        queue(elsewhere).enqueue("from elsewhere");

        assertThat(next()).isEqualTo("from elsewhere");
    }

    @ParameterizedTest
    @EnumSource(names = {"ON_DEMAND", "ALWAYS"})
    void aPlainInsertWakesAWorkerWhoseTableAnnouncesIt(Announcement announcement) throws Exception {
        asleep(listening(address), announcement);

        elsewhere.execute(INSERT);

        assertThat(next()).isEqualTo("by plain SQL");
    }

    @Test
    void aTableIsAnnouncedUnderAnyNameAndInAnySchema() throws Exception {
        var schema = "A schema of its own. With a dot, and longer than a channel";
        var tables = QueueSchema.builder(pool(address)).schema(schema).prefix("A prefix with spaces_");
        tables.migrate();
        var table = ManagedQueue.named("A prefix with spaces_", schema).text();
        QueueSchema.announce(pool(address), table.table(), Announcement.ON_DEMAND);
        var dsl = listening(address);
        sleeping(Queue.of(dsl, table, "mail"));

        elsewhere
                .insertInto(table.table())
                .columns(field(name("queue")), field(name("payload")))
                .values("mail", "quoted")
                .execute();

        assertThat(next()).isEqualTo("quoted");
    }

    @Test
    void anotherQueueOfTheTableIsNotWokenByAnEnqueue() throws Exception {
        open(elsewhere);
        var dsl = listening(address);
        asleep(dsl, Announcement.OFF);
        var claims = new AtomicInteger();
        sleeping(Queue.of(dsl, ManagedQueue.ofText(), "parcels"), claims);
        claims.set(0);

        queue(elsewhere).enqueue("a letter");

        assertThat(next()).isEqualTo("a letter");
        assertThat(claims).hasValue(0);
    }

    @Test
    void twoInstallationsInOneDatabaseDoNotWakeEachOther() throws Exception {
        QueueSchema.builder(pool(address)).prefix("other_").migrate();
        var others = ManagedQueue.named("other_", null).text();
        open(elsewhere);
        var dsl = listening(address);
        asleep(dsl, Announcement.OFF);
        var claims = new AtomicInteger();
        sleeping(Queue.of(dsl, others, "mail"), claims);
        claims.set(0);

        queue(elsewhere).enqueue("for the first");

        assertThat(next()).isEqualTo("for the first");
        assertThat(claims).hasValue(0);
    }

    @Test
    void messagesThatAreReadyAgainWakeAWorkerOfAnotherProcessThoughTheTableAnnouncesInsertsOnly() throws Exception {
        open(elsewhere);
        asleep(listening(address), Announcement.ON_DEMAND);
        elsewhere.transaction(tx -> {
            tx.dsl().execute("set local session_replication_role = replica"); // no trigger fires
            tx.dsl().execute(INSERT);
        });

        queue(elsewhere).wake();

        assertThat(next()).isEqualTo("by plain SQL");
    }

    @Test
    void messagesThatAWorkerGivesBackWakeOneOfAnotherProcess() throws Exception {
        open(elsewhere);
        asleep(listening(address), Announcement.OFF);
        queue(instance(address)).enqueue("given back"); // which nobody is told of

        opened.add(queue(elsewhere)
                .worker()
                .executor(task -> {
                    throw new RejectedExecutionException("no thread");
                })
                .consume(handled::add));

        assertThat(next()).isEqualTo("given back");
    }

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

    /** C09, C18: the listener has one connection of the pool for as long as there are workers, and waits for no other. */
    @Test
    void c09ATableThatIsSwitchedIsSeenThoughHandlersHaveAllOtherConnections() throws Exception {
        var pool = pool(address, 3);
        var dsl = DSL.using(pool, SQLDialect.POSTGRES);
        open(dsl);
        asleep(dsl, Announcement.OFF);
        opened.add(pool.getConnection());
        opened.add(pool.getConnection());

        QueueSchema.announce(pool(address), DIBS_MESSAGE, Announcement.ON_DEMAND);

        Awaitility.await().atMost(PATIENCE).until(() -> elsewhere
                .fetch(
                        "select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like '%advisory%lock_shared%'")
                .isNotEmpty());
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
    void aSignalEndsAWaitInAnotherProcess() throws Exception {
        open(elsewhere);
        var found = awaited(instance(address));

        Signals.of(elsewhere, "orders").signal("order 1");

        assertThat(found.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).contains("written");
    }

    @Test
    void aSignalEndsAWaitInItsOwnProcess() throws Exception {
        var dsl = instance(address);
        var found = awaited(dsl);

        Signals.of(dsl, "orders").signal("order 1");

        assertThat(found.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).contains("written");
    }

    @Test
    void theEndOfAMessageElsewhereEndsTheWaitForIt() throws Exception {
        open(elsewhere);
        var looks = new AtomicInteger();
        var dsl = DSL.using(new DefaultConfiguration()
                .set(pool(address))
                .set(SQLDialect.POSTGRES)
                .set(ExecuteListener.onExecuteStart(statement -> {
                    if (String.valueOf(statement.sql()).contains("dibs_result")) {
                        looks.incrementAndGet();
                    }
                })));
        opened.add(Notifications.builder(dsl).longestSleep(NEVER).open());
        var table = ManagedQueue.named("dibs_", null).withResults().text();
        var found = Queue.of(dsl, table, "sums").enqueue("6 * 7").future();
        awaitQuiet(looks);

        opened.add(Queue.of(elsewhere, table, "sums").worker().handle(delivery -> Outcome.done("42")));

        assertThat(found.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).value()).contains("42");
    }

    /** What is found by one who would look again after a day only, once it is signalled. */
    private Future<Optional<String>> awaited(DSLContext dsl) throws SQLException {
        opened.add(Notifications.builder(dsl).longestSleep(NEVER).open());
        var isWritten = new AtomicBoolean();
        var looks = new AtomicInteger();
        var thread = Executors.newSingleThreadExecutor();
        opened.add(thread::shutdownNow);
        var found = thread.submit(() -> Signals.of(dsl, "orders")
                .await(
                        "order 1",
                        () -> {
                            looks.incrementAndGet();
                            return isWritten.get() ? Optional.of("written") : Optional.<String>empty();
                        },
                        NEVER));
        awaitQuiet(looks);
        isWritten.set(true);
        return found;
    }

    @Test
    void openingThemTwiceIsRefused() {
        open(elsewhere);

        assertThatThrownBy(() -> Notifications.open(elsewhere))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("open them once");
    }

    @Test
    void afterTheyAreClosedTheyCanBeOpenedAgain() throws Exception {
        Notifications.open(elsewhere).close();
        open(elsewhere);
        asleep(listening(address), Announcement.OFF);

        queue(elsewhere).enqueue("after the second opening");

        assertThat(next()).isEqualTo("after the second opening");
    }

    @Test
    void anotherDatabaseIsRefused() {
        assertThatThrownBy(() -> Notifications.open(DSL.using(SQLDialect.SQLITE)))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("SQLite", "PostgreSQL");
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

    private DSLContext listening(Address at) {
        var dsl = instance(at);
        open(dsl);
        return dsl;
    }

    private void open(DSLContext dsl) {
        opened.add(Notifications.open(dsl));
    }

    private Worker asleep(DSLContext dsl, Announcement announcement) throws SQLException {
        QueueSchema.announce(pool(address), DIBS_MESSAGE, announcement);
        return sleeping(queue(dsl));
    }

    private Worker sleeping(Queue<String> queue) throws SQLException {
        return sleeping(queue, new AtomicInteger());
    }

    private Worker sleeping(Queue<String> queue, AtomicInteger claims) throws SQLException {
        var worker = queue.worker()
                .pollInterval(NEVER)
                .lease(NEVER) // looks for leases that ran out come in quarters of it
                .events(new QueueEvents() {
                    @Override
                    public void claimed(String name, int rows) {
                        claims.incrementAndGet();
                    }
                })
                .consume(handled::add);
        opened.add(worker);
        awaitHeard(worker);
        awaitQuiet(claims);
        return worker;
    }

    // Longer than listener and worker wait until one sleeps long.
    private void awaitQuiet(AtomicInteger looks) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            var before = looks.get();
            elsewhere.execute("select pg_sleep(1.5)");
            return before > 0 && looks.get() == before;
        });
    }

    private static void awaitHeard(Worker worker) {
        Awaitility.await().atMost(PATIENCE).until(() -> worker.state().reason().isEmpty());
    }

    private static Queue<String> rowLocking(DSLContext dsl, int poolSize) {
        var table = QueueTable.of(DIBS_MESSAGE, DIBS_MESSAGE.ID, DIBS_MESSAGE.PAYLOAD)
                .queue(DIBS_MESSAGE.QUEUE);
        return Queue.builder(dsl, table, "mail").poolSize(poolSize).build();
    }

    private static Queue<String> queue(DSLContext dsl) {
        return Queue.of(dsl, ManagedQueue.ofText(), "mail");
    }

    private DSLContext instance(Address at) {
        return DSL.using(pool(at), SQLDialect.POSTGRES);
    }

    private HikariDataSource pool(Address at) {
        return pool(at, 5);
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
