package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.Worker;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers here would look again after a day only. */
final class FileWatchTest {

    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Address address = TestDatabase.sqlite().newDatabase();
    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> claims = new LinkedBlockingQueue<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void createTable() {
        SqliteJobs.create(DSL.using(pool(), SQLDialect.SQLITE));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    @Test
    void aRowThatAnotherProcessInsertsWakesAWorker() throws Exception {
        sleeping(pool());

        insertElsewhere("from another process");

        assertThat(take()).isEqualTo("from another process");
    }

    @Test
    void aRowThatThisProcessInsertsWithoutDibsWakesAWorker() throws Exception {
        sleeping(pool());

        insert("by plain SQL");

        assertThat(take()).isEqualTo("by plain SQL");
    }

    @Test
    void oneRowAfterTheOtherWakesAWorkerEachTime() throws Exception {
        sleeping(pool());

        for (int row = 0; row < 50; row++) {
            insert("row " + row);
            assertThat(take()).isEqualTo("row " + row);
        }
    }

    @Test
    void workersOfTwoPoolsShareTheWatchOfTheirFile() throws Exception {
        sleeping(pool());
        sleeping(pool());

        assertThat(watching()).isEqualTo(1);
    }

    @Test
    void theWatchEndsWithItsLastWorker() throws Exception {
        var first = sleeping(pool());
        var second = sleeping(pool());
        first.close();
        assertThat(watching()).isEqualTo(1);

        second.close();

        Awaitility.await().atMost(PATIENCE).until(() -> watching() == 0);
    }

    @Test
    void aQuietFileCausesNoClaims() throws Exception {
        sleeping(pool());
        insert("one");
        take();
        while (claims.poll(1, TimeUnit.SECONDS) != null) {
            // until it sleeps again
        }

        assertThat(claims.poll(1, TimeUnit.SECONDS)).isNull();
    }

    private Worker sleeping(DataSource pool) throws InterruptedException {
        var worker = Queue.of(DSL.using(pool, SQLDialect.SQLITE), SqliteJobs.TABLE, "jobs")
                .worker()
                .pollInterval(NEVER)
                .events(new QueueEvents() {
                    @Override
                    public void claimed(String queue, int rows) {
                        claims.add(rows);
                    }
                })
                .consume(handled::add);
        opened.add(worker);
        assertThat(claims.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNotNull();
        return worker;
    }

    private DataSource pool() {
        var pool = address.pool(3);
        opened.add(pool);
        return pool;
    }

    private void insert(String body) throws SQLException {
        insert(address.url(), body);
    }

    private static void insert(String url, String body) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.prepareStatement("insert into jobs (body) values (?)")) {
            statement.setString(1, body);
            statement.executeUpdate();
        }
    }

    private void insertElsewhere(String body) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FileWatchTest.class.getName(),
                        address.url(),
                        body)
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }

    /** The other process. */
    public static void main(String[] args) throws SQLException {
        insert(args[0], args[1]);
    }

    private String take() throws InterruptedException {
        return handled.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private long watching() {
        var name = "queue-watch-" + Database.of(address.url()).name();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }
}
