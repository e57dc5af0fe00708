package dev.dibs.spi;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Name;
import org.jspecify.annotations.Nullable;

/**
 * An index that a table has, as the driver tells of it.
 *
 * @param columns its columns in order
 * @param predicate which rows it has; empty where it has all, or the driver does not tell
 */
record TableIndex(List<String> columns, String predicate) {

    /**
     * The indexes of a table.
     *
     * @param isSchemaADatabase whether a qualified name begins with what JDBC calls a catalog
     */
    static List<TableIndex> of(Connection connection, Name table, boolean isSchemaADatabase) throws SQLException {
        var schema = table.qualifier() == null ? null : table.qualifier().last();
        var catalog = isSchemaADatabase && schema != null ? schema : connection.getCatalog();
        try (var rows = connection
                .getMetaData()
                .getIndexInfo(catalog, isSchemaADatabase ? null : schema, table.last(), false, true)) {
            return List.copyOf(read(rows).values());
        }
    }

    /** Whether the rows that it has depend on a column. */
    boolean isPartialOn(String column) {
        return predicate.contains(column);
    }

    private static Map<String, TableIndex> read(ResultSet rows) throws SQLException {
        var indexes = new LinkedHashMap<String, TableIndex>();
        while (rows.next()) {
            if (rows.getShort("TYPE") != DatabaseMetaData.tableIndexStatistic) {
                indexes.merge(rows.getString("INDEX_NAME"), one(rows), TableIndex::and);
            }
        }
        return indexes;
    }

    // A descending column, or an expression, orders nothing that a claim asks for; no column has this name.
    private static TableIndex one(ResultSet row) throws SQLException {
        var ascending = !"D".equals(row.getString("ASC_OR_DESC"));
        var column = row.getString("COLUMN_NAME");
        return new TableIndex(List.of(ascending ? orEmpty(column) : ""), orEmpty(row.getString("FILTER_CONDITION")));
    }

    private TableIndex and(TableIndex next) {
        var both = new ArrayList<>(columns);
        both.addAll(next.columns);
        return new TableIndex(both, predicate);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
