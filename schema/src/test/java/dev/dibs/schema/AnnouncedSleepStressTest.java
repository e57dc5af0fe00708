package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.Worker;
import dev.dibs.postgres.Notifications;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
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
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/**
 * No row that was committed waits for the end of a long sleep, which would be a day away: many programs insert by plain SQL, in
 * short and long transactions, in every way there is, while workers fall asleep, are busy and lose their connections.
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

    private Worker worker() {
        var pool = address.pool(4);
        opened.add(pool);
        var dsl = DSL.using(pool, SQLDialect.POSTGRES);
        opened.add(Notifications.builder(dsl).longestSleep(NEVER).open());
        var worker = Queue.of(dsl, ManagedQueue.ofText(), "mail")
                .worker()
                .pollInterval(Duration.ofMillis(200)) // until it may sleep long
                .lease(Duration.ofMinutes(10)) // looks for leases that ran out come in quarters of it
                .consume(payload -> handled.merge(payload, 1, Integer::sum));
        opened.add(worker);
        return worker;
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
}
