package dev.dibs.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A DataSource that counts the connections it gives, and can cut one while it commits. */
final class WatchedDataSource {

    private final DataSource real;
    private final AtomicInteger connections = new AtomicInteger();
    private volatile int toBeCut;
    private volatile boolean committed;

    WatchedDataSource(DataSource real) {
        this.real = real;
    }

    DataSource watched() {
        return wrapped(DataSource.class, real, 0);
    }

    /** How many connections it has given. */
    int connections() {
        return connections.get();
    }

    /** Cuts one of the connections at its commit, before or after that takes effect. */
    void cutAtCommit(int connection, boolean takesEffect) {
        committed = takesEffect;
        toBeCut = connection;
    }

    private <T> T wrapped(Class<T> type, T around, int number) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> watched(around, number, method, arguments)));
    }

    private @Nullable Object watched(Object around, int number, Method method, Object @Nullable [] arguments)
            throws Throwable {
        var isCut = number > 0 && number == toBeCut && isCommit(method, arguments);
        if (isCut && !committed) {
            throw cut();
        }
        var result = call(around, method, arguments);
        if (isCut) {
            throw cut();
        }
        if (result instanceof Connection connection && around instanceof DataSource) {
            return wrapped(Connection.class, connection, connections.incrementAndGet());
        }
        return result != null && method.getReturnType() == Statement.class
                ? wrapped(Statement.class, (Statement) result, number)
                : result;
    }

    private static @Nullable Object call(Object around, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(around, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static boolean isCommit(Method method, Object @Nullable [] arguments) {
        return method.getName().equals("commit")
                || (method.getName().equals("execute")
                        && arguments != null
                        && arguments[0] instanceof String sql
                        && sql.equals("commit"));
    }

    private static SQLException cut() {
        return new SQLException("the connection is cut", "08006");
    }
}
