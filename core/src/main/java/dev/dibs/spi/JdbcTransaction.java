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

    /** Begins a transaction that stays open until it is closed. */
    public OpenTransaction open(DSLContext dsl) {
        return OpenTransaction.begin(dsl, boundary);
    }

    @Override
    public <R> R run(DSLContext dsl, Function<DSLContext, R> work) {
        try (var open = open(dsl)) {
            var result = work.apply(open.dsl());
            open.commit();
            return result;
        }
    }

    @Override
    public <R> R single(DSLContext dsl, Function<DSLContext, R> statement) {
        var connection = OpenTransaction.acquired(dsl);
        try {
            if (connection.getAutoCommit()) {
                return statement.apply(
                        DSL.using(dsl.configuration().derive(new DefaultConnectionProvider(connection))));
            }
        } catch (SQLException failed) {
            throw new DataAccessException("the connection is gone: " + failed.getMessage(), failed);
        } finally {
            dsl.configuration().connectionProvider().release(connection);
        }
        return run(dsl, statement);
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
