package dev.dibs.schema;

import static dev.dibs.schema.SchemaContract.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.quotedName;
import static org.jooq.impl.DSL.table;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** Inserts that are cancelled at any moment leave no advisory lock with the sessions of a pool. */
@Timeout(240)
final class AnnouncementStormTest {

    private static final Table<?> JOBS = table(quotedName("jobs"));
    private static final String CANCELLED = "57014";

    /** Far more inserts, each with its trigger, than fit into the time that they are given. */
    private static final String MANY_INSERTS =
            "do 'begin for i in 1..100000000 loop insert into jobs (body) values (i); end loop; end'";

    private HikariDataSource pool;

    @BeforeEach
    void open() throws Exception {
        pool = TestDatabase.postgresql().newDatabase().pool(4);
        execute(pool, "create table jobs (id bigint generated always as identity primary key, body text)");
        QueueSchema.announce(pool, JOBS, Announcement.ON_DEMAND);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void statementsThatRunOutOfTimeLeaveNoLock() throws Exception {
        var cancelled = 0;
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            for (int round = 0; round < 1_500; round++) {
                executeInTime(statement, "set statement_timeout = " + (1 + round % 4));
                cancelled += isCancelled(statement, MANY_INSERTS) ? 1 : 0;
            }
            executeInTime(statement, "reset statement_timeout");

            assertThat(AdvisoryLocks.held(pool)).isZero();
        }
        assertThat(cancelled).isEqualTo(1_500);
    }

    @Test
    void insertsThatRunOutOfTimeNowAndThenLeaveNoLock() throws Exception {
        var cancelled = 0;
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("set statement_timeout = 1");
            for (int insert = 0; insert < 4_000; insert++) {
                var rows = insert % 400;
                cancelled += isCancelled(
                                statement,
                                "insert into jobs (body) select n from generate_series(0, %d) n".formatted(rows))
                        ? 1
                        : 0;
            }
            executeInTime(statement, "reset statement_timeout");

            assertThat(AdvisoryLocks.held(pool)).isZero();
        }
        assertThat(cancelled).isBetween(1, 3_999);
    }

    @Test
    void statementsThatOthersCancelLeaveNoLock() throws Exception {
        var isOver = new AtomicBoolean();
        var cancelled = 0;
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            var canceller = Executors.newSingleThreadExecutor();
            try {
                var session = connection.unwrap(PGConnection.class).getBackendPID();
                var cancelling = canceller.submit(() -> cancel(session, isOver));
                for (int round = 0; round < 300; round++) {
                    cancelled += isCancelled(statement, MANY_INSERTS) ? 1 : 0;
                }
                for (int insert = 0; insert < 3_000; insert++) {
                    cancelled += isCancelled(statement, "insert into jobs (body) values ('a job')") ? 1 : 0;
                }
                isOver.set(true);
                awaitEnd(cancelling);
            } finally {
                isOver.set(true);
                canceller.shutdown();
            }

            assertThat(AdvisoryLocks.held(pool)).isZero();
        }
        assertThat(cancelled).isGreaterThanOrEqualTo(300);
    }

    // On a busy machine a setting, too, takes longer than the time that the one before it gives.
    private static void executeInTime(Statement statement, String setting) throws SQLException {
        while (isCancelled(statement, setting)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isCancelled(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
            return false;
        } catch (SQLException failed) {
            if (!CANCELLED.equals(failed.getSQLState())) {
                throw failed;
            }
            return true;
        }
    }

    // By the server: a driver asks it once for each statement, perhaps before that has arrived.
    private boolean cancel(int session, AtomicBoolean isOver) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            while (!isOver.get()) {
                statement.execute("select pg_cancel_backend(%d)".formatted(session));
            }
        }
        return true;
    }

    private static void awaitEnd(Future<Boolean> cancelling) throws Exception {
        assertThat(cancelling.get(60, TimeUnit.SECONDS)).isTrue();
    }
}
