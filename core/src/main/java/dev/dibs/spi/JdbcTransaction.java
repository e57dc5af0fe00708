package dev.dibs.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/** A transaction on a connection of the DSLContext's own provider. */
public final class JdbcTransaction implements OwnTransaction {

    private final Boundary boundary;
    private final Boundary handlers;

    private JdbcTransaction(Boundary boundary, Boundary handlers) {
        this.boundary = boundary;
        this.handlers = handlers;
    }

    /** A transaction that the driver begins and ends. */
    public static JdbcTransaction ofDriver() {
        return of(new DriverBoundary(List.of()));
    }

    /**
     * A transaction that begins with statements, the last of which is the beginning.
     *
     * <p>The connection stays in auto-commit mode, which saves a round trip, unless a handler writes in the transaction:
     * where an error ends it underneath, what the handler writes after that must not commit by itself.
     */
    public static JdbcTransaction beginningWith(String isolation, String start) {
        return new JdbcTransaction(
                new StatementBoundary(List.of(isolation, start)), new DriverBoundary(List.of(isolation)));
    }

    /** A transaction with an end of its own. */
    public static JdbcTransaction of(Boundary boundary) {
        return new JdbcTransaction(boundary, boundary);
    }

    /** Begins a transaction for a handler, which stays open until it is closed. */
    public OpenTransaction open(DSLContext dsl) {
        return OpenTransaction.begin(dsl, handlers);
    }

    /** Begins a transaction for a handler in a session that goes on after it. */
    public OpenTransaction open(Session session) {
        return OpenTransaction.within(session, handlers);
    }

    /** Whether this thread has a transaction open for which another one would wait, and so must not wait for others. */
    public boolean isAwaitedByOthers() {
        return boundary.isHeldByThisThread();
    }

    @Override
    public <R> R run(DSLContext dsl, Function<DSLContext, R> work) {
        try (var open = OpenTransaction.begin(dsl, boundary)) {
            var result = work.apply(open.dsl());
            open.commit();
            return result;
        }
    }

    @Override
    public <R> R single(DSLContext dsl, Function<DSLContext, R> statement) {
        if (boundary.isNeededForOneStatement()) {
            return run(dsl, statement);
        }
        try (var session = Session.open(dsl)) {
            return answered(session, statement);
        }
    }

    private static <R> R answered(Session session, Function<DSLContext, R> statement) {
        try {
            return statement.apply(session.dsl());
        } catch (DataAccessException failed) {
            if (session.isAlive()) {
                throw failed;
            }
            throw new UnansweredException(
                    "the statement may have been committed or not, for its connection ended: " + failed.getMessage(),
                    failed);
        }
    }

    /** How a transaction begins and ends on a connection that is in auto-commit mode before and after. */
    public interface Boundary {

        /** Begins. */
        void begin(Connection connection) throws SQLException;

        /** Commits. */
        void commit(Connection connection) throws SQLException;

        /** Rolls back, after a failure of the work or of the commit. */
        void rollback(Connection connection) throws SQLException;

        /** Whether a statement that commits by itself needs it too. */
        default boolean isNeededForOneStatement() {
            return false;
        }

        /** Whether this thread keeps all other writers of some database waiting. */
        default boolean isHeldByThisThread() {
            return false;
        }
    }

    private record DriverBoundary(List<String> before) implements Boundary {

        @Override
        public void begin(Connection connection) throws SQLException {
            execute(connection, before);
            connection.setAutoCommit(false);
        }

        @Override
        public void commit(Connection connection) throws SQLException {
            connection.commit();
            connection.setAutoCommit(true);
        }

        @Override
        public void rollback(Connection connection) throws SQLException {
            connection.rollback();
            connection.setAutoCommit(true);
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
    }

    private static void execute(Connection connection, List<String> statements) throws SQLException {
        if (!statements.isEmpty()) {
            try (var statement = connection.createStatement()) {
                for (var sql : statements) {
                    statement.execute(sql);
                }
            }
        }
    }
}
