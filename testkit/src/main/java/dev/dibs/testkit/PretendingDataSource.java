package dev.dibs.testkit;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A DataSource whose statements reach the database changed, so that it seems to be another one. */
public final class PretendingDataSource {

    private static final Set<String> TAKES_SQL =
            Set.of("prepareStatement", "prepareCall", "execute", "executeQuery", "executeUpdate", "addBatch");

    private final UnaryOperator<String> pretence;

    private PretendingDataSource(UnaryOperator<String> pretence) {
        this.pretence = pretence;
    }

    /**
     * A DataSource in front of a real one.
     *
     * @param pretence what becomes of each statement on its way
     */
    public static DataSource of(DataSource real, UnaryOperator<String> pretence) {
        return new PretendingDataSource(pretence).wrapped(DataSource.class, real);
    }

    private <T> T wrapped(Class<T> type, T real) {
        return Intercepted.of(type, real, this::pretend);
    }

    private @Nullable Object pretend(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        var result = Intercepted.invoke(real, method, changed(method, arguments));
        if (method.getReturnType() == Connection.class && real instanceof DataSource) {
            return wrapped(Connection.class, (Connection) Objects.requireNonNull(result));
        }
        return method.getReturnType() == Statement.class
                ? wrapped(Statement.class, (Statement) Objects.requireNonNull(result))
                : result;
    }

    private Object @Nullable [] changed(Method method, Object @Nullable [] arguments) {
        if (arguments == null || !TAKES_SQL.contains(method.getName()) || !(arguments[0] instanceof String sql)) {
            return arguments;
        }
        var changed = arguments.clone();
        changed[0] = pretence.apply(sql);
        return changed;
    }
}
