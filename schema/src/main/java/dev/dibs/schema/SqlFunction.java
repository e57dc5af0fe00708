package dev.dibs.schema;

import java.sql.SQLException;

/** Work on something of JDBC's. */
@FunctionalInterface
interface SqlFunction<T, R> {

    R apply(T argument) throws SQLException;
}
