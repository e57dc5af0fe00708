package dev.dibs.table;

import java.util.Optional;
import org.jooq.Field;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * A table that keeps which queues are paused, with at most one row for each; a queue without a row is not.
 *
 * @param table any jOOQ table
 * @param name the column with a queue's name, which is its primary key or has a unique index
 * @param paused the column that is 1 while the queue is paused, and 0 otherwise
 * @param pausedAt the nullable column with the time since when it is, or null where none tells
 * @param changedAt the column with the time of the last change, or null where none tells
 */
public record PauseTable(
        Table<?> table,
        Field<String> name,
        Field<Integer> paused,
        @Nullable Field<?> pausedAt,
        @Nullable Field<?> changedAt) {

    /** A table with a row for each queue that was ever paused. */
    public static PauseTable of(Table<?> table, Field<String> name, Field<Integer> paused) {
        return new PauseTable(table, name, paused, null, null);
    }

    /** The same with the time since when a queue is paused; of the types of {@link QueueTable#dueAt}. */
    public PauseTable pausedAt(Field<?> field) {
        return new PauseTable(table, name, paused, field, changedAt);
    }

    /** The same with the time of the last change; of the types of {@link QueueTable#dueAt}. */
    public PauseTable changedAt(Field<?> field) {
        return new PauseTable(table, name, paused, pausedAt, field);
    }

    /** The column with the time since when a queue is paused, if one tells. */
    public Optional<Field<?>> sinceWhen() {
        return Optional.ofNullable(pausedAt);
    }

    /** The column with the time of the last change, if one tells. */
    public Optional<Field<?>> lastChange() {
        return Optional.ofNullable(changedAt);
    }

    /** The table's name as messages write it. */
    @Override
    public String toString() {
        return table.toString();
    }
}
