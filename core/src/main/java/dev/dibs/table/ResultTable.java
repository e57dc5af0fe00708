package dev.dibs.table;

import java.time.Duration;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * A table that keeps how messages ended, with at most one row for each, for those who await them.
 *
 * <p>It belongs to one queue table, whose ids it has. An id that is used again while the row of the message before is kept
 * has that message's result. Immutable; each setter returns a new one.
 */
public final class ResultTable {

    /** Long enough for whoever waits, or looks again after a crash of its own; short enough for the table to stay small. */
    public static final Duration DEFAULT_KEEP_FOR = Duration.ofHours(1);

    private final Table<?> table;
    private final Columns columns;
    private final Duration keepFor;

    private ResultTable(Table<?> table, Columns columns, Duration keepFor) {
        this.table = table;
        this.columns = columns;
        this.keepFor = keepFor;
    }

    /**
     * A table with a row for each message that ended a short while ago.
     *
     * @param table any jOOQ table
     * @param messageId the column with a message's id, which is its primary key or has a unique index
     * @param outcome the column with how it ended, of at least 8 characters
     * @param value the nullable column with what its handler gave
     * @param expiresAt the column with the time when the row may be deleted; of the types of {@link QueueTable#dueAt}
     */
    public static ResultTable of(
            Table<?> table, Field<?> messageId, Field<String> outcome, Field<String> value, Field<?> expiresAt) {
        return new ResultTable(table, new Columns(messageId, outcome, value, expiresAt, null), DEFAULT_KEEP_FOR);
    }

    /** The same with the time when a message ended; of the types of {@link QueueTable#dueAt}. */
    public ResultTable finishedAt(Field<?> field) {
        return new ResultTable(table, columns.finishedAt(field), keepFor);
    }

    /** The same with how long results are kept; an hour unless set. */
    public ResultTable keepFor(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new QueueException("table %s: results are to be kept for %s; give it a time that is more than zero"
                    .formatted(table, time));
        }
        return new ResultTable(table, columns, time);
    }

    /** The jOOQ table. */
    public Table<?> table() {
        return table;
    }

    /** The column with a message's id. */
    @SuppressWarnings("unchecked") // statements bind and read the column through its own data type
    public Field<Object> messageId() {
        return (Field<Object>) columns.messageId();
    }

    /** The column with how a message ended. */
    public Field<String> outcome() {
        return columns.outcome();
    }

    /** The column with what its handler gave. */
    public Field<String> value() {
        return columns.value();
    }

    /** The column with the time when a row may be deleted. */
    public Field<?> expiresAt() {
        return columns.expiresAt();
    }

    /** The column with the time when a message ended, if one tells. */
    public Optional<Field<?>> endedWhen() {
        return Optional.ofNullable(columns.finishedAt());
    }

    /** How long results are kept. */
    public Duration keepFor() {
        return keepFor;
    }

    /** The table's name as messages write it. */
    @Override
    public String toString() {
        return table.toString();
    }

    private record Columns(
            Field<?> messageId,
            Field<String> outcome,
            Field<String> value,
            Field<?> expiresAt,
            @Nullable Field<?> finishedAt) {

        Columns finishedAt(Field<?> field) {
            return new Columns(messageId, outcome, value, expiresAt, field);
        }
    }
}
