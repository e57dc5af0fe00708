package dev.dibs.schema;

import dev.dibs.testkit.Address;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Data sources that misbehave as pools, networks and operators do. */
final class TestConnections {

    private TestConnections() {}

    /** A new connection each time. */
    static DataSource to(Address address) {
        return proxy(DataSource.class, (self, method, arguments) -> switch (method.getName()) {
            case "getConnection" -> DriverManager.getConnection(address.url(), address.user(), address.password());
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    /** Hands out each connection after a statement, in the way of a pool's connectionInitSql. */
    static DataSource after(String sql, DataSource source) {
        return handingOut(source, connection -> {
            try (var statement = connection.createStatement()) {
                for (var each : sql.split(";", -1)) {
                    statement.execute(each);
                }
            }
            return connection;
        });
    }

    /** Finds SQLite's file locked before each connection, once. */
    static DataSource lockedAtFirst(DataSource source) {
        var asked = new AtomicInteger();
        return handingOut(source, connection -> {
            if (asked.incrementAndGet() % 2 == 1) {
                connection.close();
                throw new SQLiteException("the database file is locked", SQLiteErrorCode.SQLITE_BUSY);
            }
            return connection;
        });
    }

    /** Hands out connections with auto-commit off, and notes those that do not come back so. */
    static DataSource autoCommitOff(DataSource source, Queue<String> complaints) {
        return handingOut(source, connection -> {
            connection.setAutoCommit(false);
            return proxy(Connection.class, (self, method, arguments) -> {
                if (method.getName().equals("close") && connection.getAutoCommit()) {
                    complaints.add("a connection came back with auto-commit on");
                }
                return call(connection, method, arguments);
            });
        });
    }

    /** All connections end at once, as those of a killed process do, before the n-th create statement; n from 1. */
    static DataSource killedAtCreate(int n, DataSource source) {
        var open = new ConcurrentLinkedQueue<Connection>();
        return fromCreate(n, source, open, () -> {
            for (var connection : open) {
                connection.abort(Runnable::run);
            }
        });
    }

    /** The n-th create statement fails, and all that follow; n from 1. */
    static DataSource failingFromCreate(int n, DataSource source) {
        return fromCreate(n, source, new ConcurrentLinkedQueue<>(), () -> {});
    }

    private static DataSource fromCreate(int n, DataSource source, Queue<Connection> open, SqlAction action) {
        var seen = new AtomicInteger();
        return handingOut(source, connection -> {
            open.add(connection);
            return proxy(Connection.class, (self, method, arguments) -> {
                var result = call(connection, method, arguments);
                return result instanceof Statement statement
                        ? proxy(method.getReturnType(), (own, statementMethod, sql) -> {
                            if (creates(sql) && seen.incrementAndGet() >= n) {
                                action.run();
                                throw new SQLException("the disk is full");
                            }
                            return call(statement, statementMethod, sql);
                        })
                        : result;
            });
        });
    }

    private static boolean creates(Object @Nullable [] arguments) {
        return arguments != null
                && arguments.length > 0
                && arguments[0] instanceof String sql
                && sql.strip().toLowerCase(Locale.ROOT).startsWith("create");
    }

    /** Hands out what is made of each connection. */
    static DataSource handingOut(DataSource source, SqlFunction<Connection, Connection> change) {
        return proxy(DataSource.class, (self, method, arguments) -> {
            var result = call(source, method, arguments);
            return result instanceof Connection connection ? change.apply(connection) : result;
        });
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

    private interface SqlAction {
        void run() throws SQLException;
    }
}
