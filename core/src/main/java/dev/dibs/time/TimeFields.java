package dev.dibs.time;

import java.time.Instant;
import org.jooq.Converter;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * Says of a column what its own type does not: {@code QueueTable.dueAt(TimeFields.seconds(JOBS.RETRY_AFTER))}.
 *
 * <p>A forced type or converter to Instant says the same of every use of the column.
 */
public final class TimeFields {

    private TimeFields() {}

    /** A bigint that counts seconds since 1970. */
    public static Field<Instant> seconds(Field<Long> field) {
        return field.convert(
                Converter.ofNullable(Long.class, Instant.class, Instant::ofEpochSecond, Instant::getEpochSecond));
    }

    /** A bigint that counts milliseconds since 1970. */
    public static Field<Instant> milliseconds(Field<Long> field) {
        return field.convert(
                Converter.ofNullable(Long.class, Instant.class, Instant::ofEpochMilli, Instant::toEpochMilli));
    }

    /**
     * A TIMESTAMP of MySQL or MariaDB, which jOOQ's generated classes do not tell from a DATETIME.
     *
     * <p>It ends in January 2038.
     */
    public static Field<Instant> timestamp(Field<?> field) {
        var type = field.getDataType();
        return field.coerce(type.precisionDefined() ? SQLDataType.INSTANT(type.precision()) : SQLDataType.INSTANT);
    }
}
