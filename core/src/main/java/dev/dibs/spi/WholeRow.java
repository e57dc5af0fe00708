package dev.dibs.spi;

import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** The table's own record as a handler gets it: the row as it was claimed, attached to no connection. */
record WholeRow<T>(QueueTable<T> table, List<Cell<?>> cells) implements Content<T> {

    /** The rows of a table, some of whose columns the claim reads for itself. */
    static <T> WholeRow<T> of(QueueTable<T> table, List<Field<?>> engine) {
        return new WholeRow<>(
                table,
                Arrays.stream(table.table().fields())
                        .<Cell<?>>map(field -> Cell.of(field, engine))
                        .toList());
    }

    @Override
    public List<Field<?>> fields() {
        return cells.stream()
                .<Field<?>>map(Cell::reading)
                .filter(Objects::nonNull)
                .toList();
    }

    @Override
    @SuppressWarnings("unchecked") // in row mode the payload's type is the table's record
    public Read<T> read(Record row) {
        var record = table.table().newRecord();
        for (var cell : cells) {
            var failure = cell.copy(row, record);
            if (failure != null) {
                var column = "the column %s holds what its converter refuses"
                        .formatted(cell.field().getName());
                return new Read<>(null, new QueueException(column, failure));
            }
        }
        unchanged(record);
        return new Read<>((T) record, null);
    }

    @SuppressWarnings("deprecation") // its other name came with jOOQ 3.20
    private static void unchanged(Record record) {
        record.changed(false);
    }

    /**
     * One column of the row.
     *
     * @param reading what is selected for it; null where the claim reads the column for itself
     */
    record Cell<F>(Field<F> field, @Nullable Field<Read<F>> reading) {

        static <F> Cell<F> of(Field<F> field, List<Field<?>> engine) {
            var taken = engine.stream().anyMatch(other -> other.getName().equals(field.getName()));
            return new Cell<>(field, taken ? null : ReadBinding.field(field));
        }

        @Nullable
        Throwable copy(Record row, Record target) {
            var read = reading == null ? new Read<>(row.get(field), null) : row.get(reading);
            target.set(field, read.value());
            return read.failure();
        }
    }
}
