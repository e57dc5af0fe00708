package dev.dibs.spi;

import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConnectionProvider;

/**
 * A transaction that is open on a connection of its own, until it is closed. For one thread at a time.
 *
 * <p>Closing rolls back what was not committed, and gives the connection back as it came.
 */
public final class OpenTransaction implements AutoCloseable {

    private final ConnectionProvider connections;
    private final Connection connection;
    private final JdbcTransaction.Boundary boundary;
    private final boolean autoCommit;
    private final DSLContext dsl;
    private boolean begun;

    private OpenTransaction(DSLContext pool, Connection connection, JdbcTransaction.Boundary boundary)
            throws SQLException {
        this.connections = pool.configuration().connectionProvider();
        this.connection = connection;
        this.boundary = boundary;
        this.autoCommit = connection.getAutoCommit();
        this.dsl = DSL.using(pool.configuration().derive(new DefaultConnectionProvider(connection)));
    }

    /** Takes a connection and begins. */
    static OpenTransaction begin(DSLContext pool, JdbcTransaction.Boundary boundary) {
        var connection = acquired(pool);
        try {
            var open = new OpenTransaction(pool, connection, boundary);
            open.begin();
            return open;
        } catch (SQLException failed) {
            pool.configuration().connectionProvider().release(connection);
            throw failed("could not begin", failed);
        } catch (Throwable failed) {
            pool.configuration().connectionProvider().release(connection);
            throw failed;
        }
    }

    /** For statements of this transaction. */
    public DSLContext dsl() {
        return dsl;
    }

    /** Commits; nothing more can be done in it. */
    public void commit() {
        try {
            boundary.commit(connection);
            begun = false;
        } catch (SQLException failed) {
            throw failed("could not commit", failed);
        }
    }

    @Override
    public void close() {
        try {
            if (begun) {
                begun = false;
                boundary.rollback(connection);
            }
            connection.setAutoCommit(autoCommit);
        } catch (SQLException failed) {
            throw failed("could not end", failed);
        } finally {
            connections.release(connection);
        }
    }

    static Connection acquired(DSLContext pool) {
        var connection = pool.configuration().connectionProvider().acquire();
        if (connection == null) {
            throw new DataAccessException("the DSLContext gives no connections; make it from a DataSource");
        }
        return connection;
    }

    private void begin() throws SQLException {
        if (!autoCommit) {
            connection.setAutoCommit(true);
        }
        boundary.begin(connection);
        begun = true;
    }

    private static DataAccessException failed(String what, SQLException cause) {
        return new DataAccessException("the transaction %s: %s".formatted(what, cause.getMessage()), cause);
    }
}
