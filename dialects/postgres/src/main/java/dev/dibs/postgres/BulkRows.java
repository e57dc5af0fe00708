package dev.dibs.postgres;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Many rows of the same columns, of each of which it is known how to send it.
 *
 * @param same the columns whose value is said once for all rows
 * @param listed the columns that have a text in each row
 */
record BulkRows(QueueRef queue, List<Same> same, List<Listed> listed, List<Map<Field<?>, Object>> rows) {

    /** The rows, unless one has other columns than the first, or a value of a type that is not plain. */
    static Optional<BulkRows> of(QueueRef queue, List<Map<Field<?>, Object>> rows) {
        var first = rows.get(0);
        if (!rows.stream().allMatch(row -> row.keySet().equals(first.keySet()))) {
            return Optional.empty();
        }
        var same = first.keySet().stream()
                .filter(column -> isSame(rows, column))
                .map(column -> new Same(column, value(first, column)))
                .toList();
        var others =
                first.keySet().stream().filter(column -> !isSame(rows, column)).toList();
        var listed =
                others.stream().flatMap(column -> listed(rows, column).stream()).toList();
        return listed.isEmpty() || listed.size() < others.size()
                ? Optional.empty()
                : Optional.of(new BulkRows(queue, same, listed, rows));
    }

    Table<?> table() {
        return queue.from();
    }

    int size() {
        return rows.size();
    }

    /** Whether what is said once means the same when it is evaluated once: values, and the due time. */
    boolean isSaidOnceForAll() {
        var due = queue.table().find(Part.DUE_AT);
        return same.stream()
                .allMatch(column -> column.value() instanceof Param<?>
                        || due.filter(column.column()::equals).isPresent());
    }

    private static boolean isSame(List<Map<Field<?>, Object>> rows, Field<?> column) {
        var first = rows.get(0).get(column);
        return rows.stream().allMatch(row -> row.get(column) == first);
    }

    private static Optional<Listed> listed(List<Map<Field<?>, Object>> rows, Field<?> column) {
        var type = PlainType.of(value(rows.get(0), column));
        return type.filter(plain -> rows.stream()
                        .allMatch(row -> PlainType.of(value(row, column)).equals(type)))
                .map(plain -> new Listed(column, plain));
    }

    private static Field<?> value(Map<Field<?>, Object> row, Field<?> column) {
        var value = row.get(column);
        return value instanceof Field<?> field ? field : DSL.val(value, column);
    }

    /** A column that has one value or expression in all rows. */
    record Same(Field<?> column, Field<?> value) {}

    /** A column with a value of its own in each row. */
    record Listed(Field<?> column, PlainType type) {

        @Nullable
        String text(Map<Field<?>, Object> row) {
            return type.text(BulkRows.value(row, column));
        }
    }
}
