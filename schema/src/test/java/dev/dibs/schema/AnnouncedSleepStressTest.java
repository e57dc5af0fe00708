package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.PayloadHandler;
import dev.dibs.Queue;
import dev.dibs.Worker;
import dev.dibs.postgres.Notifications;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.ChildJvm;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/**
 * No row that was committed waits for the end of a long sleep, which would be a day away: many programs insert by plain SQL, in
 * short and long transactions, in every way there is, while workers fall asleep, are busy, lose their connections and are killed.
 */
@Timeout(300)
final class AnnouncedSleepStressTest {

    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int WRITERS = 6;
    private static final int ROUNDS = 60;
    private static final int INSTANCES = 3;
    private static final String INSERT = "insert into dibs_message (queue, payload) values ('mail', ?)";

    private final Map<String, Integer> handled = new ConcurrentHashMap<>();
    private final Map<String, Boolean> committed = new ConcurrentHashMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Address address;
    private HikariDataSource writers;

    @BeforeEach
    void migrate() {
        address = TestDatabase.postgresql().newDatabase();
        writers = address.pool(WRITERS + 1);
        opened.add(writers);
        QueueSchema.migrate(writers);
        QueueSchema.announce(writers, DIBS_MESSAGE, Announcement.ON_DEMAND);
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    @Test
    void noRowWaitsForTheEndOfALongSleep() throws Exception {
        for (int instance = 0; instance < INSTANCES; instance++) {
            worker();
        }
        var writing = new ArrayList<Future<Boolean>>();
        for (int writer = 0; writer < WRITERS; writer++) {
            var number = writer;
            writing.add(threads.submit((Callable<Boolean>) () -> write(number)));
        }
        for (var end : writing) {
            assertThat(end.get(120, TimeUnit.SECONDS)).isTrue();
        }

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(handled.keySet()).containsExactlyInAnyOrderElementsOf(committed.keySet()));
    }

    @Test
    void noRowWaitsForTheEndOfALongSleepThoughSleepersLoseTheirConnections() throws Exception {
        for (int instance = 0; instance < INSTANCES; instance++) {
            worker();
        }
        var writing = threads.submit((Callable<Boolean>) () -> write(0));
        try (var connection = writers.getConnection();
                var statement = connection.createStatement()) {
            while (!writing.isDone()) {
                statement.execute("select pg_sleep(1)");
                statement.execute(
                        "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and database = (select oid from pg_database where datname = current_database())");
            }
        }

        assertThat(writing.get()).isTrue();
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(handled.keySet()).containsAll(committed.keySet()));
    }

    /** No process takes the place of one that was killed: its first look would find what others were not woken for. */
    @Test
    void noRowWaitsForTheEndOfALongSleepThoughProcessesAreKilledInTheirs() throws Exception {
        var sleepers = sleepers(INSTANCES + 1);
        var writing = List.of(
                threads.submit((Callable<Boolean>) () -> write(0)), threads.submit((Callable<Boolean>) () -> write(1)));
        for (int killed = 0; killed < INSTANCES; killed++) {
            kill(sleepers.remove(awaitAsleep(sleepers)));
            letWritersGoOn();
        }
        for (var end : writing) {
            assertThat(end.get(120, TimeUnit.SECONDS)).isTrue();
        }

        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(dsl().selectFrom(DIBS_MESSAGE)
                                .where(DIBS_MESSAGE.LEASED_UNTIL.isNull())
                                .fetch())
                        .isEmpty());
    }

    @Test
    void aProcessThatIsKilledInItsSleepCostsWritersNothingAnyMore() throws Exception {
        var sleepers = sleepers(1);
        awaitAsleep(sleepers);

        kill(sleepers.values().iterator().next());

        Awaitility.await().atMost(PATIENCE).until(() -> AdvisoryLocks.held(writers) == 0);
        try (var ear = Ear.at(writers, DIBS_MESSAGE)) {
            dsl().execute("insert into dibs_message (queue, payload) values ('mail', 'for nobody')");
            assertThat(ear.heard()).isEmpty();
        }
    }

    private Map<String, Process> sleepers(int processes) throws IOException {
        var started = new HashMap<String, Process>();
        for (int number = 0; number < processes; number++) {
            var name = "sleeper-" + number;
            var process = Sleeper.start(address, name);
            opened.add(process::destroyForcibly);
            started.put(name, process);
        }
        return started;
    }

    /** The name of one that holds the lock of sleepers. */
    private String awaitAsleep(Map<String, Process> sleepers) {
        return Awaitility.await().atMost(PATIENCE).until(() -> asleep(sleepers), name -> !name.isEmpty());
    }

    private String asleep(Map<String, Process> sleepers) {
        var names = dsl().fetch(
                        "select application_name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and mode = 'ShareLock' and datname = current_database()")
                .getValues(0, String.class);
        return names.stream().filter(sleepers::containsKey).findAny().orElse("");
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly().waitFor(); // as kill -9 does
    }

    private void letWritersGoOn() {
        dsl().execute("select pg_sleep(2)");
    }

    private DSLContext dsl() {
        return DSL.using(writers, SQLDialect.POSTGRES);
    }

    private void worker() {
        opened.add(Sleeper.in(address, opened, payload -> handled.merge(payload, 1, Integer::sum)));
    }

    /** In rounds, between which workers have time to fall asleep, or have not. */
    private boolean write(int writer) throws Exception {
        var random = new Random(writer);
        try (var connection = writers.getConnection()) {
            connection.setAutoCommit(false);
            for (int round = 0; round < ROUNDS; round++) {
                var payload = writer + ":" + round;
                switch (random.nextInt(6)) {
                    case 0 -> insert(connection, payload);
                    case 1 -> insertAfterASavepoint(connection, payload);
                    case 2 -> copy(connection, payload);
                    case 3 -> insertMany(connection, payload);
                    case 4 -> rollBack(connection, payload);
                    default -> insertInALongTransaction(connection, payload, random.nextInt(5) == 0 ? 5 : 0.3);
                }
                connection.commit();
                sleep(connection, random.nextInt(4) == 0 ? 0.7 : 0.02 * random.nextInt(4));
                connection.commit();
            }
        }
        return true;
    }

    private void insert(Connection connection, String payload) throws SQLException {
        try (var insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, payload);
            insert.execute();
        }
        committed.put(payload, true);
    }

    private void insertAfterASavepoint(Connection connection, String payload) throws SQLException {
        insert(connection, payload);
        var savepoint = connection.setSavepoint();
        insert(connection, "rolled back");
        committed.remove("rolled back");
        connection.rollback(savepoint);
    }

    private void copy(Connection connection, String payload) throws Exception {
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("copy dibs_message (queue, payload) from stdin", new StringReader("mail\t" + payload + "\n"));
        committed.put(payload, true);
    }

    private void insertMany(Connection connection, String payload) throws SQLException {
        for (int row = 0; row < 20; row++) {
            insert(connection, payload + "." + row);
        }
    }

    private void rollBack(Connection connection, String payload) throws SQLException {
        insert(connection, payload);
        committed.remove(payload);
        connection.rollback();
    }

    private void insertInALongTransaction(Connection connection, String payload, double seconds) throws SQLException {
        insert(connection, payload);
        sleep(connection, seconds);
    }

    private static void sleep(Connection connection, double seconds) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("select pg_sleep(" + seconds + ")");
        }
    }

    /** A worker that sleeps for a day once it may, in this process or in one of its own. */
    static final class Sleeper {

        private Sleeper() {}

        static Worker in(Address address, List<AutoCloseable> opened, PayloadHandler<String> handler) {
            var pool = address.pool(4);
            opened.add(pool);
            var dsl = DSL.using(pool, SQLDialect.POSTGRES);
            opened.add(Notifications.builder(dsl).longestSleep(NEVER).open());
            return Queue.of(dsl, ManagedQueue.ofText(), "mail")
                    .worker()
                    .pollInterval(Duration.ofMillis(200)) // until it may sleep long
                    .lease(Duration.ofMinutes(10)) // looks for leases that ran out come in quarters of it
                    .consume(handler);
        }

        /** A process, whose connections have the name. */
        static Process start(Address address, String name) throws IOException {
            var url = address.url() + (address.url().contains("?") ? "&" : "?") + "ApplicationName=" + name;
            return ChildJvm.of(Sleeper.class, new Address(url, address.user(), address.password(), address.dialect()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }

        /** The process. */
        public static void main(String[] args) throws InterruptedException {
            in(ChildJvm.address(args), new ArrayList<>(), payload -> {}).join();
        }
    }
}
