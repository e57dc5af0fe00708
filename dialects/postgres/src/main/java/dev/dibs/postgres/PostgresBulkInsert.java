package dev.dibs.postgres;

import dev.dibs.spi.BulkInsert;
import dev.dibs.spi.QueueRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConnectionProvider;
import org.postgresql.core.BaseConnection;

/** Very many rows by COPY, many by arrays: the same few parameters, however many rows there are. */
final class PostgresBulkInsert implements BulkInsert {

    /** Below it an insert that lists its values costs as little. */
    private static final int ROWS_FOR_ARRAYS = 20;

    /** Below it what COPY has to ask first costs more than it saves. */
    private static final int ROWS_FOR_COPY = 5_000;

    @Override
    public boolean insert(DSLContext dsl, QueueRef queue, List<Map<Field<?>, Object>> rows) {
        if (rows.size() < ROWS_FOR_ARRAYS) {
            return false;
        }
        var bulk = BulkRows.of(queue, rows);
        return bulk.isPresent()
                && dsl.connectionResult(connection -> isOfDriver(connection) && insert(dsl, connection, bulk.get()));
    }

    private static boolean insert(DSLContext dsl, Connection connection, BulkRows rows) {
        var own = DSL.using(dsl.configuration().derive(new DefaultConnectionProvider(connection)));
        try {
            if (rows.size() < ROWS_FOR_COPY || !PostgresCopy.insert(own, connection, rows)) {
                PostgresArrays.insert(own, rows);
            }
            return true;
        } catch (SQLException failed) {
            throw new DataAccessException("the rows could not be copied: " + failed.getMessage(), failed);
        }
    }

    // In a transaction, for many rows are all or none. A driver told to leave the types of texts open writes them into
    // columns of any type, and arrays of texts do not fit there.
    private static boolean isOfDriver(Connection connection) throws SQLException {
        try {
            return !connection.getAutoCommit()
                    && connection.isWrapperFor(BaseConnection.class)
                    && connection.unwrap(BaseConnection.class).getStringVarcharFlag();
        } catch (LinkageError anotherDriver) {
            return false;
        }
    }
}
