package dev.dibs.schema;

import dev.dibs.table.QueueException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One SQLite transaction around everything that is done with a data source.
 *
 * <p>Flyway has no lock on SQLite. The transaction takes the database's writer lock before the first look, so that
 * instances that start together go one after the other, and one that dies leaves nothing behind. What Flyway
 * commits in between is committed at the end.
 */
final class SqliteTransaction {

    /** Far longer than a row of instances needs that start together. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** SQLite waits by itself for a file that is locked, but not for a shared in-memory database. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final int SQLITE_BUSY = 5;
    private static final int SQLITE_LOCKED = 6;

    private SqliteTransaction() {}

    /** Gives the work a data source that knows only this connection, which is in auto-commit mode. */
    static <R> R on(Connection connection, SqlFunction<DataSource, R> work) throws SQLException {
        persistently(connection, "begin immediate");
        try {
            var result = work.apply(sourceOf(inside(connection)));
            persistently(connection, "commit");
            return result;
        } catch (SQLException | RuntimeException | Error failed) {
            undo(connection, failed);
            throw failed;
        }
    }

    private static void undo(Connection connection, Throwable failed) {
        try {
            execute(connection, "rollback");
        } catch (SQLException alreadyUndone) {
            failed.addSuppressed(alreadyUndone);
        }
    }

    private static DataSource sourceOf(Connection connection) {
        return proxy(DataSource.class, (self, method, arguments) -> switch (method.getName()) {
            case "getConnection" -> connection;
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private static Connection inside(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> switch (method.getName()) {
            case "setAutoCommit", "commit", "close" -> null;
            case "rollback" -> startAgain(connection);
            default -> call(connection, method, arguments);
        });
    }

    private static @Nullable Object startAgain(Connection connection) throws SQLException {
        execute(connection, "rollback");
        persistently(connection, "begin immediate");
        return null;
    }

    private static void persistently(Connection connection, String sql) throws SQLException {
        persistently(sql, each -> {
            execute(connection, each);
            return each;
        });
    }

    /** Does something again and again while SQLite says that somebody has the file locked. */
    static <T, R> R persistently(T with, SqlFunction<T, R> work) throws SQLException {
        var end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return work.apply(with);
            } catch (SQLException failed) {
                if (!isLocked(failed) || System.nanoTime() > end) {
                    throw failed;
                }
                pause();
            }
        }
    }

    // Its errors have no state; other databases have one, and other codes.
    private static boolean isLocked(SQLException failed) {
        return failed.getSQLState() == null
                && (failed.getErrorCode() == SQLITE_BUSY || failed.getErrorCode() == SQLITE_LOCKED);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new QueueException("interrupted while another instance was migrating", interrupted);
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
