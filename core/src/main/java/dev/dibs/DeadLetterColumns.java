package dev.dibs;

import dev.dibs.DeadLetter.Death;
import dev.dibs.spi.Read;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.Part;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Micros;
import dev.dibs.time.TimeColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;

/**
 * What is read of a dead letter.
 *
 * @param <T> the payload's type
 */
final class DeadLetterColumns<T> {

    private final RowColumns<?> columns;
    private final Function<Record, Read<T>> payload;
    private final Optional<Field<Object>> error;
    private final Optional<Field<Long>> diedAt;

    private DeadLetterColumns(QueueTable<?> dead, RowColumns<?> columns, Function<Record, Read<T>> payload) {
        this.columns = columns;
        this.payload = payload;
        this.error = dead.find(Part.ERROR).map(column -> column.as("dibs_error"));
        this.diedAt = dead.find(Part.FINISHED_AT)
                .map(column -> TimeColumn.of(column).read().as("dibs_died_at"));
    }

    /** The columns of a table of dead letters, whose payload is read as the queue's own. */
    static <T> DeadLetterColumns<T> of(QueueTable<T> own, QueueTable<?> dead) {
        if (own.table().equals(dead.table())) {
            var columns = RowColumns.of(own);
            return new DeadLetterColumns<>(dead, columns, columns::payload);
        }
        if (own.isRowMode()) {
            var columns = RowColumns.of(counted(QueueTable.of(dead.table(), dead.id()), dead));
            return new DeadLetterColumns<>(dead, columns, row -> asOwn(own, dead, columns.payload(row)));
        }
        var body = DSL.field(dead.payload().getQualifiedName(), own.payload().getDataType());
        var columns = RowColumns.of(counted(QueueTable.of(dead.table(), dead.id(), body), dead));
        return new DeadLetterColumns<>(dead, columns, columns::payload);
    }

    List<Field<?>> fields() {
        var fields = new ArrayList<>(columns.afterClaim());
        error.ifPresent(fields::add);
        diedAt.ifPresent(fields::add);
        return fields;
    }

    DeadLetter<T> read(Record row) {
        var text = error.map(row::get).map(String::valueOf);
        var death = new Death(text, columns.attempt(row), diedAt.map(row::get).map(Micros::at));
        return new DeadLetter<>(columns.id(row), payload.apply(row), death);
    }

    private static <P> QueueTable<P> counted(QueueTable<P> bare, QueueTable<?> dead) {
        return dead.find(Part.ATTEMPT)
                .map(attempt -> bare.attempt(attempt.coerce(Integer.class)))
                .orElse(bare);
    }

    // The row as one of the queue's own table, as far as the dead letters keep it.
    @SuppressWarnings({"unchecked", "deprecation"}) // in row mode the payload is the table's record; changed(..)
    private static <T> Read<T> asOwn(QueueTable<T> own, QueueTable<?> dead, Read<? extends Record> read) {
        if (read.value() == null) {
            return new Read<>(null, read.failure());
        }
        var record = own.table().newRecord();
        CommonColumns.of(own, dead).forEach((copy, original) -> copy(read.value(), copy, record, original));
        record.changed(false);
        return new Read<>((T) record, null);
    }

    private static <F> void copy(Record from, Field<?> copy, Record to, Field<F> original) {
        to.set(original, original.getDataType().convert(from.get(copy)));
    }
}
