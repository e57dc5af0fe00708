package dev.dibs.postgres;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
record BulkRows(QueueRef queue, List<Same> same, List<Listed> listed, List<Object[]> rows) {

    /** The rows, unless one has other columns than the first, or a value of a type that is not plain. */
    static Optional<BulkRows> of(QueueRef queue, List<Map<Field<?>, Object>> rows) {
        var columns = List.copyOf(rows.get(0).keySet());
        var values = new ArrayList<Object[]>(rows.size());
        for (var row : rows) {
            if (!isOf(columns, row)) {
                return Optional.empty();
            }
            values.add(row.values().toArray());
        }
        return of(queue, columns, values);
    }

    private static Optional<BulkRows> of(QueueRef queue, List<Field<?>> columns, List<Object[]> rows) {
        var same = new ArrayList<Same>();
        var listed = new ArrayList<Listed>();
        for (int place = 0; place < columns.size(); place++) {
            var column = columns.get(place);
            if (isSame(rows, place)) {
                same.add(new Same(column, value(rows.get(0)[place], column)));
            } else {
                listed(rows, column, place).ifPresent(listed::add);
            }
        }
        return listed.isEmpty() || same.size() + listed.size() < columns.size()
                ? Optional.empty()
                : Optional.of(new BulkRows(queue, same, listed, rows));
    }

    // In the same order; columns of one mapping are the same objects, which is quicker found out than that they are
    // equal.
    private static boolean isOf(List<Field<?>> columns, Map<Field<?>, Object> row) {
        var others = row.keySet().iterator();
        for (var column : columns) {
            var other = others.hasNext() ? others.next() : null;
            if (column != other && !column.equals(other)) {
                return false;
            }
        }
        return !others.hasNext();
    }

    Table<?> table() {
        return queue.from();
    }

    int size() {
        return rows.size();
    }

    /** The first row, by column. */
    Map<Field<?>, Object> first() {
        var first = new LinkedHashMap<Field<?>, Object>();
        same.forEach(column -> first.put(column.column(), column.value()));
        listed.forEach(column -> first.put(column.column(), value(rows.get(0)[column.place()], column.column())));
        return first;
    }

    /** Whether what is said once means the same when it is evaluated once: values, and the due time. */
    boolean isSaidOnceForAll() {
        var due = queue.table().find(Part.DUE_AT);
        return same.stream()
                .allMatch(column -> column.value() instanceof Param<?>
                        || due.filter(column.column()::equals).isPresent());
    }

    private static boolean isSame(List<Object[]> rows, int place) {
        var first = rows.get(0)[place];
        return rows.stream().allMatch(row -> row[place] == first);
    }

    private static Optional<Listed> listed(List<Object[]> rows, Field<?> column, int place) {
        return PlainType.of(value(rows.get(0)[place], column))
                .filter(plain -> rows.stream().allMatch(row -> plain.isOf(value(row[place], column))))
                .map(plain -> new Listed(column, place, plain));
    }

    private static Field<?> value(@Nullable Object value, Field<?> column) {
        return value instanceof Field<?> field ? field : DSL.val(value, column);
    }

    /** A column that has one value or expression in all rows. */
    record Same(Field<?> column, Field<?> value) {}

    /** A column with a value of its own in each row. */
    record Listed(Field<?> column, int place, PlainType type) {

        @Nullable
        String text(Object[] row) {
            return type.text(BulkRows.value(row[place], column));
        }
    }
}
