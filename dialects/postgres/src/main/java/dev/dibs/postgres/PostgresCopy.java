package dev.dibs.postgres;

import static org.jooq.impl.DSL.cast;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Rows written by COPY, in its text format.
 *
 * <p>COPY evaluates nothing, so the due time is read from the clock before it. The first row is inserted before that: a
 * claim may rest on every due time by the clock having been read while its transaction already wrote to the table.
 */
final class PostgresCopy {

    private static final int BUFFER = 1 << 16;

    private static final String END_OF_COLUMN = "\t";
    private static final String END_OF_ROW = "\n";
    private static final String NULL = "\\N";

    /** What COPY does not do, and an insert may: views, row level security. */
    private static final Set<String> NOT_FOR_COPY = Set.of("0A000", "42809");

    private PostgresCopy() {}

    /** Writes the rows; or answers false, having written nothing, where COPY cannot. */
    static boolean insert(DSLContext dsl, Connection connection, BulkRows bulk) throws SQLException {
        var copy = statement(dsl, bulk);
        if (!bulk.isSaidOnceForAll() || !isTaken(connection, copy)) {
            return false;
        }
        dsl.insertInto(bulk.table()).set(bulk.first()).execute();
        var same = same(dsl, bulk);
        var in = begin(connection, copy);
        try {
            write(in, bulk, same);
            in.endCopy();
        } catch (SQLException | RuntimeException failed) {
            cancel(in, failed);
            throw failed;
        }
        return true;
    }

    // jOOQ has no COPY. The encoding is said, for a session may have another one.
    private static String statement(DSLContext dsl, BulkRows bulk) {
        var columns = Stream.concat(
                        bulk.same().stream().map(BulkRows.Same::column),
                        bulk.listed().stream().map(BulkRows.Listed::column))
                .map(column -> dsl.render(column.getUnqualifiedName()))
                .collect(Collectors.joining(", "));
        return "copy %s (%s) from stdin with (encoding 'UTF8')".formatted(dsl.render(bulk.table()), columns);
    }

    // Without a row, and under a savepoint, so that the transaction outlives a refusal.
    private static boolean isTaken(Connection connection, String copy) throws SQLException {
        var before = connection.setSavepoint();
        try {
            begin(connection, copy).endCopy();
        } catch (SQLException refused) {
            if (!NOT_FOR_COPY.contains(String.valueOf(refused.getSQLState()))) {
                throw refused;
            }
            connection.rollback(before);
            return false;
        }
        connection.releaseSavepoint(before);
        return true;
    }

    private static CopyIn begin(Connection connection, String copy) throws SQLException {
        return connection.unwrap(PGConnection.class).getCopyAPI().copyIn(copy);
    }

    /** The one value of each column that has one, as the start of each row. */
    private static String same(DSLContext dsl, BulkRows bulk) {
        if (bulk.same().isEmpty()) {
            return "";
        }
        var texts = dsl.select(bulk.same().stream()
                        .map(same -> cast(same.value(), SQLDataType.CLOB))
                        .toList())
                .fetchSingle();
        return texts.intoStream()
                .map(text -> escaped((String) text) + END_OF_COLUMN)
                .collect(Collectors.joining());
    }

    private static void write(CopyIn in, BulkRows bulk, String same) throws SQLException {
        var lines = new StringBuilder();
        for (var row : bulk.rows().subList(1, bulk.size())) {
            lines.append(same).append(line(bulk.listed(), row)).append(END_OF_ROW);
            if (lines.length() >= BUFFER) {
                send(in, lines);
            }
        }
        send(in, lines);
    }

    private static String line(List<BulkRows.Listed> columns, Object[] row) {
        return columns.stream().map(column -> escaped(column.text(row))).collect(Collectors.joining(END_OF_COLUMN));
    }

    private static void send(CopyIn in, StringBuilder lines) throws SQLException {
        var bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
        in.writeToCopy(bytes, 0, bytes.length);
        lines.setLength(0);
    }

    /** A value as COPY reads it: what ends a value or a row, or begins an escape, is escaped. */
    static String escaped(@Nullable String text) {
        return text == null
                ? NULL
                : text.replace("\\", "\\\\")
                        .replace("\t", "\\t")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r");
    }

    private static void cancel(CopyIn in, Exception failed) {
        try {
            if (in.isActive()) {
                in.cancelCopy();
            }
        } catch (SQLException gone) {
            failed.addSuppressed(gone);
        }
    }
}
