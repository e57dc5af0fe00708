package dev.dibs.spi;

import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConnectionProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a pool in auto-commit mode, until it is closed. For one thread at a time.
 *
 * <p>Closing gives it back as it came. A pool may hand out connections with auto-commit off; nothing would ever be
 * committed unless somebody does.
 */
public final class Session implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** Longer than any answer of a server that is there. */
    private static final int SECONDS_TO_ANSWER = 5;

    private final ConnectionProvider connections;
    private final Connection connection;
    private final boolean autoCommit;
    private final int patience;
    private final int patienceBefore;
    private final DSLContext dsl;
    private boolean aborted;

    private Session(DSLContext pool, Connection connection) throws SQLException {
        this.connections = pool.configuration().connectionProvider();
        this.connection = connection;
        this.autoCommit = connection.getAutoCommit();
        this.patience = PatientConnections.millisOf(connections);
        this.patienceBefore = patience == 0 ? 0 : connection.getNetworkTimeout();
        this.dsl = DSL.using(pool.configuration().derive(new DefaultConnectionProvider(connection)));
    }

    /** Takes a connection. */
    public static Session open(DSLContext pool) {
        var connections = pool.configuration().connectionProvider();
        var connection = connections.acquire();
        if (connection == null) {
            throw new DataAccessException("the DSLContext gives no connections; make it from a DataSource");
        }
        try {
            var session = new Session(pool, connection);
            session.autoCommit(true);
            session.limitAnswers();
            return session;
        } catch (SQLException failed) {
            connections.release(connection);
            throw new DataAccessException("the connection is gone: " + failed.getMessage(), failed);
        } catch (Throwable failed) {
            connections.release(connection);
            throw failed;
        }
    }

    /** For statements on it. */
    public DSLContext dsl() {
        return dsl;
    }

    /** From now on waits for answers only so long, where its pool says so; the application's own limit may be closer. */
    void limitAnswers() {
        if (patienceBefore == 0 || patienceBefore > patience) {
            waitFor(patience);
        }
    }

    /** From now on waits for answers as long as the application does. */
    void awaitAnswers() {
        waitFor(patienceBefore);
    }

    // One that is gone says so at the next statement.
    private void waitFor(int millis) {
        if (patience == 0) {
            return;
        }
        try {
            connection.setNetworkTimeout(Runnable::run, millis);
        } catch (SQLException failed) {
            LOG.debug("a connection does not limit how long it waits for answers", failed);
        }
    }

    /** Whether the server still answers on it, and so still holds what belongs to the session. */
    public boolean isAlive() {
        try {
            return connection.isValid(SECONDS_TO_ANSWER);
        } catch (SQLException gone) {
            return false;
        }
    }

    /** Ends it on the server, with whatever it holds there; the pool has to replace the connection. */
    public void abort() {
        aborted = true;
        try {
            connection.abort(Runnable::run);
        } catch (SQLException failed) {
            throw new DataAccessException("the connection could not be ended: " + failed.getMessage(), failed);
        }
    }

    // What was done on it is done: nothing that fails from now on may look as if it were not.
    @Override
    public void close() {
        try {
            restore();
        } finally {
            release();
        }
    }

    private void restore() {
        try {
            if (!aborted) {
                autoCommit(autoCommit);
                awaitAnswers();
            }
        } catch (SQLException failed) {
            LOG.warn("a connection could not be given back as it came, and is ended", failed);
            end();
        }
    }

    private void end() {
        try {
            abort();
        } catch (DataAccessException failed) {
            LOG.debug("a connection that is not as it came could not be ended", failed);
        }
    }

    // The pool finds out by itself that the connection has ended, and may complain.
    private void release() {
        try {
            connections.release(connection);
        } catch (RuntimeException failed) {
            LOG.debug("a connection did not go back to its pool well", failed);
        }
    }

    boolean isAborted() {
        return aborted;
    }

    Connection connection() {
        return connection;
    }

    // Only where it changes something: some drivers ask the server each time.
    private void autoCommit(boolean wanted) throws SQLException {
        if (connection.getAutoCommit() != wanted) {
            connection.setAutoCommit(wanted);
        }
    }
}
