package dev.dibs.testkit;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A DataSource that a test can switch off, and that can hold a statement back, lose its answer or end its transaction.
 *
 * <p>The statements themselves reach the real database.
 */
final class SwitchedDataSource {

    /** The SQL state of a transaction that was rolled back to let another one through. */
    static final String ROLLED_BACK = "40001";

    private final DataSource real;
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger inUse = new AtomicInteger();
    private final AtomicReference<@Nullable Predicate<String>> losing = new AtomicReference<>();
    private final Queue<Refusal> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Held> holding = new AtomicReference<>();
    private volatile Consumer<String> counting = sql -> {};
    private volatile boolean isOff;
    private volatile boolean failsToClose;
    private volatile int mostInUse = Integer.MAX_VALUE;

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

    /** Gives no more connections than that at once, and refuses others without a wait. */
    void atMost(int connections) {
        mostInUse = connections;
    }

    /** From now on connections go back to the pool, and then complain. */
    void failToClose() {
        failsToClose = true;
    }

    /** Refuses the next statement of that kind; {@link #ROLLED_BACK} ends its transaction, as in a deadlock. */
    void refuse(Predicate<String> sql, String state) {
        refusals.add(new Refusal(sql, state));
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

    private record Refusal(Predicate<String> sql, String state) {}

    /** A statement that is held back. */
    record Held(Predicate<String> sql, CountDownLatch reached, CountDownLatch letGo) {}

    private @Nullable Object ofDataSource(DataSource target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        if (method.getReturnType() != Connection.class) {
            return Intercepted.invoke(target, method, arguments);
        }
        if (isOff || inUse.get() >= mostInUse) {
            refused.incrementAndGet();
            throw new SQLTransientConnectionException("the database is switched off", "08001");
        }
        var connection = (Connection) Objects.requireNonNull(Intercepted.invoke(target, method, arguments));
        inUse.incrementAndGet();
        return Intercepted.of(Connection.class, connection, this::ofConnection);
    }

    private @Nullable Object ofConnection(Connection target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        var result = Intercepted.invoke(target, method, arguments);
        if (method.getName().equals("close")) {
            closed();
        }
        if (!method.getName().equals("prepareStatement") || arguments == null) {
            return result;
        }
        var sql = (String) arguments[0];
        return Intercepted.of(
                PreparedStatement.class,
                (PreparedStatement) Objects.requireNonNull(result),
                (statement, call, values) -> ofStatement(statement, sql, call, values));
    }

    private void closed() throws SQLException {
        inUse.decrementAndGet();
        if (failsToClose) {
            throw new SQLException("the connection is back, and something else is wrong");
        }
    }

    private @Nullable Object ofStatement(Statement target, String sql, Method method, Object @Nullable [] arguments)
            throws Throwable {
        if (!method.getName().startsWith("execute")) {
            return Intercepted.invoke(target, method, arguments);
        }
        holdBack(sql);
        refuse(target.getConnection(), sql);
        counting.accept(sql);
        var result = Intercepted.invoke(target, method, arguments);
        var lost = losing.get();
        if (lost != null && lost.test(sql) && losing.compareAndSet(lost, null)) {
            target.getConnection().abort(Runnable::run);
            throw new SQLException("the answer was lost", "08006");
        }
        return result;
    }

    private void refuse(Connection connection, String sql) throws SQLException {
        var next = refusals.peek();
        if (next == null || !next.sql().test(sql) || !refusals.remove(next)) {
            return;
        }
        if (next.state().equals(ROLLED_BACK)) {
            try (var statement = connection.createStatement()) {
                statement.execute("rollback");
            }
        }
        throw new SQLException("refused by the test", next.state());
    }

    private void holdBack(String sql) throws InterruptedException {
        var held = holding.get();
        if (held != null && held.sql().test(sql) && holding.compareAndSet(held, null)) {
            held.reached().countDown();
            held.letGo().await();
        }
    }
}
