package dev.dibs.benchmarks;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Plain statements of the measuring itself. */
final class Sql {

    private Sql() {}

    /** The number that a query answers with. */
    static long count(DataSource pool, String query) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Executes statements, each by itself. */
    static void execute(DataSource pool, String... statements) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            for (var text : statements) {
                statement.execute(text);
            }
        }
    }
}
