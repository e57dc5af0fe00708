package dev.dibs.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.SQL;
import org.jooq.SQLDialect;
import org.jooq.impl.CustomCondition;
import org.jooq.impl.CustomField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * How a column's type holds a time, as SQL that turns microseconds since 1970 in UTC into the column's value and back.
 *
 * <p>No value passes through a driver's date types: they shift what falls into an hour that the JVM's or the session's
 * zone leaves out or repeats, and round what is finer than the column. Everything is a number, and the database computes
 * with it. A value that a foreign writer left and that is no time reads as null, and breaks no claim.
 */
enum TimeKind {
    /** A number that counts from 1970 in UTC. */
    EPOCH("a number"),
    /** A date and time of day in UTC, whatever zone the session or the JVM is in; on SQLite a text of that shape. */
    UTC("a UTC date and time without a zone"),
    /** A point in time: PostgreSQL's timestamptz, MySQL's and MariaDB's TIMESTAMP. */
    ZONED("a date and time with a zone");

    /** The first and the last moment that columns of these types can be given; numbers hold more. */
    static final Instant FIRST = Instant.parse("1970-01-01T00:00:01Z");

    static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

    /** The last moment of a TIMESTAMP of MySQL, and of MariaDB before 11.5. */
    static final Instant LAST_OF_TIMESTAMP = Instant.parse("2038-01-19T03:14:07.999999Z");

    // One width, so that texts compare as times do; a shorter fraction, or none, as SQLite's own functions and
    // current_timestamp write it, is a beginning of it and compares right too.
    private static final DateTimeFormatter SHAPE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    private static final String MYSQL_UTC = "(timestamp '1970-01-01 00:00:00' + interval ({0}) microsecond)";

    private static final String SQLITE_TEXT =
            "(strftime('%Y-%m-%d %H:%M:%S', ({0}) / 1000000, 'unixepoch') || printf('.%06d', ({0}) % 1000000))";

    /**
     * A TIMESTAMP is compared by the wall clock of the session's zone. In the second of the two hours that a zone repeats
     * in autumn, that clock says what it said an hour ago: then the index is read two hours further, and each row's own
     * number decides, as it always does.
     */
    private static final String TIMESTAMP_REACHED = """
            ({0} <= if(unix_timestamp(from_unixtime(({1}) * 0.000001)) = ({1}) * 0.000001, \
            from_unixtime(({1}) * 0.000001), from_unixtime(({1}) * 0.000001 + 7200)) \
            and unix_timestamp({0}) <= ({1}) * 0.000001)""";

    private final String description;

    TimeKind(String description) {
        this.description = description;
    }

    /** The value to write for a number of microseconds, a multiple of the unit, that is about this moment. */
    Field<Object> written(TimeColumn column, Field<Long> micros, Instant about) {
        if (this == EPOCH && column.unit() == 1) {
            return untyped(micros);
        }
        if (this == EPOCH && micros instanceof Param<Long> given) {
            return untyped(DSL.val(given.getValue() / column.unit()));
        }
        return CustomField.of("time", column.type(), context -> {
            requireBetween(column, about, context.family());
            context.visit(written(context.family(), column.unit(), micros));
        });
    }

    /** The column's value as microseconds. */
    Field<Long> read(Field<?> field, long unit) {
        if (this == EPOCH && unit == 1) {
            return field.coerce(SQLDataType.BIGINT);
        }
        return CustomField.of(
                "micros", SQLDataType.BIGINT, context -> context.visit(DSL.sql(read(context.family(), unit), field)));
    }

    /** True where the column's time is not later than a number of microseconds. */
    Condition reached(TimeColumn column, Field<Long> micros) {
        var ordinary = column.field().le(written(column, micros, FIRST));
        if (this != ZONED) {
            return ordinary;
        }
        return CustomCondition.of(context -> {
            if (isMysql(context.family())) {
                context.visit(DSL.sql(TIMESTAMP_REACHED, column.field(), micros));
            } else {
                context.visit(ordinary);
            }
        });
    }

    /**
     * Refuses a type that a database does not have, or of which too little is known.
     *
     * @throws IllegalArgumentException naming the remedy
     */
    void requireServed(TimeColumn column, SQLDialect family) {
        if (this == ZONED && family == SQLDialect.SQLITE) {
            throw new IllegalArgumentException(
                    "the column %s is a point in time, which SQLite does not have; map a bigint, or a text of UTC times such as 2026-03-01 12:00:00.000000"
                            .formatted(column));
        }
        if (column.isText() && family != SQLDialect.SQLITE) {
            throw new IllegalArgumentException(
                    "the column %s is a String, and texts hold times on SQLite only; map a column of a date and time type, or a bigint"
                            .formatted(column));
        }
        if (this != EPOCH && isMysql(family) && !column.type().precisionDefined()) {
            throw new IllegalArgumentException(
                    "the jOOQ type of the column %s does not tell how many digits its seconds have, and the database would round what does not fit; make it LOCALDATETIME(0) for datetime or timestamp, LOCALDATETIME(6) for datetime(6) or timestamp(6)"
                            .formatted(column));
        }
    }

    /** What it is, as messages say it. */
    @Override
    public String toString() {
        return description;
    }

    private SQL written(SQLDialect family, long unit, Field<Long> micros) {
        if (this != EPOCH && family == SQLDialect.POSTGRES && micros instanceof Param<Long> given) {
            return DSL.sql("cast({0} as %s)".formatted(postgresType()), DSL.val(text(given.getValue())));
        }
        return DSL.sql(written(family, unit), micros);
    }

    // PostgreSQL multiplies an interval as a double: exact up to the year 2255, so given times go as text.
    private String written(SQLDialect family, long unit) {
        return switch (family) {
            case POSTGRES ->
                this == EPOCH
                        ? "(({0}) / %d)".formatted(unit)
                        : "(%s 'epoch' + ({0}) * interval '1 microsecond')".formatted(postgresType());
            case MYSQL -> this == ZONED ? "concat(%s, '+00:00')".formatted(MYSQL_UTC) : mysql(unit);
            case MARIADB -> this == ZONED ? "from_unixtime(({0}) * 0.000001)" : mysql(unit);
            case SQLITE -> this == EPOCH ? "(({0}) / %d)".formatted(unit) : SQLITE_TEXT;
            default -> throw unknown(family);
        };
    }

    private String mysql(long unit) {
        return this == EPOCH ? "(({0}) div %d)".formatted(unit) : MYSQL_UTC;
    }

    private String read(SQLDialect family, long unit) {
        if (this == EPOCH) {
            var most = Long.MAX_VALUE / unit;
            return "(case when {0} between -%d and %d then {0} * %d end)".formatted(most, most, unit);
        }
        return switch (family) {
            case POSTGRES -> "(case when isfinite({0}) then cast(extract(epoch from {0}) * 1000000 as bigint) end)";
            case MYSQL, MARIADB ->
                this == ZONED
                        ? "cast(unix_timestamp({0}) * 1000000 as signed)"
                        : "timestampdiff(microsecond, '1970-01-01', {0})";
            case SQLITE ->
                "(strftime('%s', substr({0}, 1, 19)) * 1000000 + cast(substr(substr({0}, 21) || '000000', 1, 6) as integer))";
            default -> throw unknown(family);
        };
    }

    private void requireBetween(TimeColumn column, Instant about, SQLDialect family) {
        var last = this == ZONED && isMysql(family) ? LAST_OF_TIMESTAMP : LAST;
        if (this != EPOCH && (about.isBefore(FIRST) || about.isAfter(last))) {
            throw new IllegalArgumentException(
                    "the time %s cannot be stored in the column %s; it lies between %s and %s"
                            .formatted(about, column, FIRST, last));
        }
    }

    private String postgresType() {
        return this == ZONED ? "timestamptz" : "timestamp";
    }

    private String text(long micros) {
        var text = SHAPE.format(LocalDateTime.ofInstant(Micros.at(micros), ZoneOffset.UTC));
        return this == ZONED ? text + "+00:00" : text;
    }

    private static boolean isMysql(SQLDialect family) {
        return family == SQLDialect.MYSQL || family == SQLDialect.MARIADB;
    }

    private static UnsupportedOperationException unknown(SQLDialect family) {
        return new UnsupportedOperationException(
                "how %s holds times is not known; use a bigint of microseconds".formatted(family.getName()));
    }

    @SuppressWarnings("unchecked") // a value to be written into a column of any type
    private static Field<Object> untyped(Field<?> field) {
        return (Field<Object>) field;
    }
}
