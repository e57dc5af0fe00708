package dev.dibs.time;

import java.time.Duration;
import java.time.Instant;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** A column that holds a time, as microseconds since 1970 in a bigint. */
public final class TimeColumn {

    private final Field<Long> field;

    private TimeColumn(Field<Long> field) {
        this.field = field;
    }

    /**
     * A column as one that holds times.
     *
     * @throws IllegalArgumentException if its type cannot
     */
    @SuppressWarnings("unchecked") // checked by the line above the cast
    public static TimeColumn of(Field<?> field) {
        if (field.getType() != Long.class) {
            throw new IllegalArgumentException(
                    "the column %s holds times as %s, which is not known; use a bigint of microseconds since 1970"
                            .formatted(field, field.getType().getSimpleName()));
        }
        return new TimeColumn((Field<Long>) field);
    }

    /** True where the column's time has come. */
    public Condition reached(Now now) {
        return field.le(now.compared());
    }

    /** The value to write for this moment. */
    public Field<Long> value(Now now) {
        return now.written();
    }

    /** The value to write for a moment to come; never earlier than asked. */
    public Field<Long> value(Now now, Duration later) {
        return later.isZero() ? value(now) : now.written().plus(DSL.val(Micros.of(later)));
    }

    /** The value to write for a given instant. */
    public Field<Long> value(Instant instant) {
        return DSL.val(Micros.of(instant));
    }

    /** The value to write where there is no time. */
    public Field<Long> none() {
        return DSL.castNull(SQLDataType.BIGINT);
    }

    /** The instant of a value that was read from the column. */
    public @Nullable Instant instant(@Nullable Object read) {
        return read instanceof Long micros ? Micros.at(micros) : null;
    }
}
