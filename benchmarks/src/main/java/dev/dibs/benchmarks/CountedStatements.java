package dev.dibs.benchmarks;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts the statements that are executed on the connections of a DataSource. Safe for any thread. */
final class CountedStatements {

    private static final List<Class<?>> WATCHED =
            List.of(DataSource.class, Connection.class, PreparedStatement.class, Statement.class);

    private final AtomicLong executed = new AtomicLong();

    /** How many there were. */
    long executed() {
        return executed.get();
    }

    /** One in front of a real one, which is counted. */
    DataSource of(DataSource real) {
        return (DataSource) watched(DataSource.class, real);
    }

    private Object watched(Class<?> type, Object real) {
        return Proxy.newProxyInstance(
                CountedStatements.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(real, method, arguments));
    }

    private @Nullable Object call(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        if (real instanceof Statement && method.getName().startsWith("execute")) {
            executed.incrementAndGet();
        }
        var result = invoke(real, method, arguments);
        return result != null && WATCHED.contains(method.getReturnType())
                ? watched(method.getReturnType(), result)
                : result;
    }

    private static @Nullable Object invoke(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
