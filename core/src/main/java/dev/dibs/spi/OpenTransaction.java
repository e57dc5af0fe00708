package dev.dibs.spi;

import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * A transaction that is open until it is closed. For one thread at a time.
 *
 * <p>Closing rolls back what was not committed.
 */
public final class OpenTransaction implements AutoCloseable {

    private final Session session;
    private final JdbcTransaction.Boundary boundary;
    private final boolean isOfItsOwn;
    private boolean begun;

    private OpenTransaction(Session session, JdbcTransaction.Boundary boundary, boolean isOfItsOwn) {
        this.session = session;
        this.boundary = boundary;
        this.isOfItsOwn = isOfItsOwn;
    }

    /** Begins on a connection of its own, which goes back when the transaction is closed. */
    static OpenTransaction begin(DSLContext pool, JdbcTransaction.Boundary boundary) {
        var session = Session.open(pool);
        try {
            return new OpenTransaction(session, boundary, true).begun();
        } catch (Throwable failed) {
            session.close();
            throw failed;
        }
    }

    /** Begins in a session that goes on after it. */
    static OpenTransaction within(Session session, JdbcTransaction.Boundary boundary) {
        return new OpenTransaction(session, boundary, false).begun();
    }

    /** For statements of this transaction. */
    public DSLContext dsl() {
        return session.dsl();
    }

    /** The connection that it is open on. */
    public Session session() {
        return session;
    }

    /** Commits; nothing more can be done in it. */
    public void commit() {
        try {
            boundary.commit(session.connection());
            begun = false;
        } catch (SQLException failed) {
            if (session.isAlive()) { // it has answered: no
                throw failed("could not commit", failed);
            }
            throw new UnansweredException(
                    "the transaction may have been committed or not, for its connection ended: " + failed.getMessage(),
                    failed);
        }
    }

    /** Rolls back what was not committed; the connection may still be used until it is closed. */
    public void rollback() {
        if (begun) {
            begun = false;
            try {
                boundary.rollback(session.connection());
            } catch (SQLException failed) {
                if (!session.isAborted()) {
                    session.abort(); // or the next use of the connection could commit what is open
                    throw failed("could not be rolled back", failed);
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            rollback();
        } finally {
            if (isOfItsOwn) {
                session.close();
            }
        }
    }

    private OpenTransaction begun() {
        try {
            boundary.begin(session.connection());
            begun = true;
            return this;
        } catch (SQLException failed) {
            throw failed("could not begin", failed);
        }
    }

    private static DataAccessException failed(String what, SQLException cause) {
        return new DataAccessException("the transaction %s: %s".formatted(what, cause.getMessage()), cause);
    }
}
