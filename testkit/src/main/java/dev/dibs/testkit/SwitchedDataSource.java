package dev.dibs.testkit;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A DataSource that a test can switch off, and that can hold a statement back or lose its answer.
 *
 * <p>The statements themselves reach the real database.
 */
final class SwitchedDataSource {

    private final DataSource real;
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicReference<@Nullable Predicate<String>> losing = new AtomicReference<>();
    private final AtomicReference<@Nullable Held> holding = new AtomicReference<>();
    private volatile Consumer<String> counting = sql -> {};
    private volatile boolean isOff;

    SwitchedDataSource(DataSource real) {
        this.real = real;
    }

    /** For the code under test. */
    DataSource dataSource() {
        return Intercepted.of(DataSource.class, real, this::ofDataSource);
    }

    /** Gives no connections any more, as if the server refused them. */
    void off() {
        isOff = true;
    }

    void on() {
        isOff = false;
    }

    /** How many connections were refused. */
    int refused() {
        return refused.get();
    }

    /** Executes the next statement of that kind, and ends its connection before the answer comes. */
    void loseAnswerTo(Predicate<String> sql) {
        losing.set(sql);
    }

    /** Holds the next statement of that kind back until it is let go. */
    Held holdBack(Predicate<String> sql) {
        var held = new Held(sql, new CountDownLatch(1), new CountDownLatch(1));
        holding.set(held);
        return held;
    }

    /** Counts statements of that kind from now on. */
    void count(Predicate<String> sql, AtomicInteger counter) {
        counting = statement -> {
            if (sql.test(statement)) {
                counter.incrementAndGet();
            }
        };
    }

    /** A statement that is held back. */
    record Held(Predicate<String> sql, CountDownLatch reached, CountDownLatch letGo) {}

    private @Nullable Object ofDataSource(DataSource target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        if (method.getReturnType() != Connection.class) {
            return Intercepted.invoke(target, method, arguments);
        }
        if (isOff) {
            refused.incrementAndGet();
            throw new SQLTransientConnectionException("the database is switched off", "08001");
        }
        return Intercepted.of(
                Connection.class,
                (Connection) Objects.requireNonNull(Intercepted.invoke(target, method, arguments)),
                this::ofConnection);
    }

    private @Nullable Object ofConnection(Connection target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        var result = Intercepted.invoke(target, method, arguments);
        if (!method.getName().equals("prepareStatement") || arguments == null) {
            return result;
        }
        var sql = (String) arguments[0];
        return Intercepted.of(
                PreparedStatement.class,
                (PreparedStatement) Objects.requireNonNull(result),
                (statement, call, values) -> ofStatement(statement, sql, call, values));
    }

    private @Nullable Object ofStatement(Statement target, String sql, Method method, Object @Nullable [] arguments)
            throws Throwable {
        if (!method.getName().startsWith("execute")) {
            return Intercepted.invoke(target, method, arguments);
        }
        holdBack(sql);
        counting.accept(sql);
        var result = Intercepted.invoke(target, method, arguments);
        var lost = losing.get();
        if (lost != null && lost.test(sql) && losing.compareAndSet(lost, null)) {
            target.getConnection().abort(Runnable::run);
            throw new SQLException("the answer was lost", "08006");
        }
        return result;
    }

    private void holdBack(String sql) throws InterruptedException {
        var held = holding.get();
        if (held != null && held.sql().test(sql) && holding.compareAndSet(held, null)) {
            held.reached().countDown();
            held.letGo().await();
        }
    }
}
