package dev.dibs.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConnectionProvider;

/** A transaction on a connection of the DSLContext's own provider. */
public final class JdbcTransaction implements OwnTransaction {

    private final Boundary boundary;

    private JdbcTransaction(Boundary boundary) {
        this.boundary = boundary;
    }

    /** A transaction that the driver begins and ends. */
    public static JdbcTransaction ofDriver() {
        return new JdbcTransaction(new DriverBoundary());
    }

    /** A transaction that begins with these statements, on a connection that stays in auto-commit mode. */
    public static JdbcTransaction beginningWith(String... statements) {
        return of(new StatementBoundary(List.of(statements)));
    }

    /** A transaction with an end of its own. */
    public static JdbcTransaction of(Boundary boundary) {
        return new JdbcTransaction(boundary);
    }

    @Override
    public <R> R run(DSLContext dsl, Function<DSLContext, R> work) {
        return onConnection(dsl, connection -> within(connection, dsl, work));
    }

    @Override
    public <R> R single(DSLContext dsl, Function<DSLContext, R> statement) {
        return onConnection(
                dsl,
                connection -> connection.getAutoCommit()
                        ? statement.apply(on(connection, dsl))
                        : within(connection, dsl, statement));
    }

    private <R> R within(Connection connection, DSLContext dsl, Function<DSLContext, R> work) throws SQLException {
        var autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.setAutoCommit(true);
        }
        try {
            boundary.begin(connection);
            var result = committed(connection, dsl, work);
            connection.setAutoCommit(autoCommit);
            return result;
        } catch (Throwable failed) {
            alsoTry(failed, () -> connection.setAutoCommit(autoCommit));
            throw failed;
        }
    }

    private <R> R committed(Connection connection, DSLContext dsl, Function<DSLContext, R> work) throws SQLException {
        try {
            var result = work.apply(on(connection, dsl));
            boundary.commit(connection);
            return result;
        } catch (Throwable failed) {
            alsoTry(failed, () -> boundary.rollback(connection));
            throw failed;
        }
    }

    private static DSLContext on(Connection connection, DSLContext dsl) {
        return DSL.using(dsl.configuration().derive(new DefaultConnectionProvider(connection)));
    }

    private static <R> R onConnection(DSLContext dsl, Work<R> work) {
        var connections = dsl.configuration().connectionProvider();
        var connection = connections.acquire();
        if (connection == null) {
            throw new DataAccessException("the DSLContext gives no connections; make it from a DataSource");
        }
        try {
            return work.on(connection);
        } catch (SQLException failed) {
            throw new DataAccessException("the transaction failed: " + failed.getMessage(), failed);
        } finally {
            connections.release(connection);
        }
    }

    private static void alsoTry(Throwable failed, Step step) {
        try {
            step.run();
        } catch (SQLException alsoFailed) {
            failed.addSuppressed(alsoFailed);
        }
    }

    private interface Work<R> {
        R on(Connection connection) throws SQLException;
    }

    private interface Step {
        void run() throws SQLException;
    }

    /** How a transaction begins and ends on a connection that is in auto-commit mode at first. */
    public interface Boundary {

        /** Begins. */
        void begin(Connection connection) throws SQLException;

        /** Commits. */
        void commit(Connection connection) throws SQLException;

        /** Rolls back, after a failure of the work or of the commit. */
        void rollback(Connection connection) throws SQLException;
    }

    private record DriverBoundary() implements Boundary {
        @Override
        public void begin(Connection connection) throws SQLException {
            connection.setAutoCommit(false);
        }

        @Override
        public void commit(Connection connection) throws SQLException {
            connection.commit();
        }

        @Override
        public void rollback(Connection connection) throws SQLException {
            connection.rollback();
        }
    }

    private record StatementBoundary(List<String> beginning) implements Boundary {
        @Override
        public void begin(Connection connection) throws SQLException {
            execute(connection, beginning);
        }

        @Override
        public void commit(Connection connection) throws SQLException {
            execute(connection, List.of("commit"));
        }

        @Override
        public void rollback(Connection connection) throws SQLException {
            execute(connection, List.of("rollback"));
        }

        private static void execute(Connection connection, List<String> statements) throws SQLException {
            try (var statement = connection.createStatement()) {
                for (var sql : statements) {
                    statement.execute(sql);
                }
            }
        }
    }
}
