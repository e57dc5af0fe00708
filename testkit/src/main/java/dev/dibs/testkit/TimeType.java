package dev.dibs.testkit;

import static org.jooq.SQLDialect.MARIADB;
import static org.jooq.SQLDialect.MYSQL;
import static org.jooq.SQLDialect.POSTGRES;
import static org.jooq.SQLDialect.SQLITE;

import dev.dibs.time.Micros;
import dev.dibs.time.TimeFields;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jooq.Converter;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.SQLDataType;

/** A type of time column, as a table has it and as a user maps it. */
@SuppressWarnings("ImmutableEnumChecker") // jOOQ's types and the mappings do not change
enum TimeType {
    BIGINT("bigint", SQLDataType.BIGINT, POSTGRES, MYSQL, MARIADB, SQLITE),
    BIGINT_MILLISECONDS(
            "bigint", SQLDataType.BIGINT, longs(TimeFields::milliseconds), POSTGRES, MYSQL, MARIADB, SQLITE),
    BIGINT_SECONDS("bigint", SQLDataType.BIGINT, longs(TimeFields::seconds), POSTGRES, MYSQL, MARIADB, SQLITE),
    BIGINT_FORCED("bigint", SQLDataType.BIGINT.asConvertedDataType(micros()), POSTGRES, MYSQL, MARIADB, SQLITE),
    TIMESTAMPTZ("timestamp with time zone", SQLDataType.OFFSETDATETIME(6), POSTGRES),
    TIMESTAMPTZ_INSTANT("timestamp with time zone", SQLDataType.INSTANT, POSTGRES),
    TIMESTAMPTZ_SECONDS("timestamp(0) with time zone", SQLDataType.OFFSETDATETIME(0), POSTGRES),
    ZONELESS("timestamp", SQLDataType.LOCALDATETIME, POSTGRES),
    ZONELESS_JDBC("timestamp", SQLDataType.TIMESTAMP, POSTGRES),
    ZONELESS_SECONDS("timestamp(0)", SQLDataType.LOCALDATETIME(0), POSTGRES),
    DATETIME("datetime(6)", SQLDataType.LOCALDATETIME(6), MYSQL, MARIADB),
    DATETIME_JDBC("datetime(6)", SQLDataType.TIMESTAMP(6), MYSQL, MARIADB),
    DATETIME_FORCED("datetime(6)", SQLDataType.LOCALDATETIME(6).asConvertedDataType(utc()), MYSQL, MARIADB),
    DATETIME_MILLISECONDS("datetime(3)", SQLDataType.LOCALDATETIME(3), MYSQL, MARIADB),
    DATETIME_SECONDS("datetime", SQLDataType.LOCALDATETIME(0), MYSQL, MARIADB),
    TIMESTAMP("timestamp(6) null", SQLDataType.LOCALDATETIME(6), TimeFields::timestamp, MYSQL, MARIADB),
    TIMESTAMP_SECONDS("timestamp null", SQLDataType.LOCALDATETIME(0), TimeFields::timestamp, MYSQL, MARIADB),
    TEXT("text", SQLDataType.CLOB, SQLITE),
    TEXT_DATETIME("datetime", SQLDataType.LOCALDATETIME, SQLITE);

    private static final Instant LAST_DAY = Instant.parse("9999-12-31T23:59:59.999999Z");
    private static final Instant LAST_OF_TIMESTAMP = Instant.parse("2038-01-19T03:14:07.999999Z");

    private final String sql;
    private final DataType<?> type;
    private final Function<Field<?>, Field<?>> mapping;
    private final Set<SQLDialect> databases;

    TimeType(String sql, DataType<?> type, SQLDialect... databases) {
        this(sql, type, field -> field, databases);
    }

    TimeType(String sql, DataType<?> type, Function<Field<?>, Field<?>> mapping, SQLDialect... databases) {
        this.sql = sql;
        this.type = type;
        this.mapping = mapping;
        this.databases = Set.of(databases);
    }

    /** The types that a database has. */
    static List<TimeType> of(SQLDialect database) {
        return Arrays.stream(values())
                .filter(type -> type.databases.contains(database))
                .toList();
    }

    /** How the database's own language names it. */
    String sql() {
        return sql;
    }

    /** What jOOQ's generator makes of it, or a forced type. */
    DataType<?> type() {
        return type;
    }

    /** The column as it is mapped. */
    Field<?> mapped(Field<?> field) {
        return mapping.apply(field);
    }

    /** What its values are a multiple of. */
    Duration unit() {
        return name().endsWith("_SECONDS")
                ? Duration.ofSeconds(1)
                : name().endsWith("_MILLISECONDS") ? Duration.ofMillis(1) : Duration.ofNanos(1_000);
    }

    /** Whether two claims never write the same expiry. */
    boolean isExact() {
        return unit().equals(Duration.ofNanos(1_000));
    }

    /** The last moment that it takes, before it is cut. */
    Instant last() {
        if (sql.equals("bigint")) {
            return Micros.MAX;
        }
        return sql.startsWith("timestamp") && databases.contains(MYSQL) ? LAST_OF_TIMESTAMP : LAST_DAY;
    }

    /** A moment as the column holds it. */
    Instant cut(Instant moment) {
        var unit = unit().toNanos() / 1_000;
        return Micros.at(Math.floorDiv(Micros.of(moment), unit) * unit);
    }

    @SuppressWarnings("unchecked") // given to bigint columns only
    private static Function<Field<?>, Field<?>> longs(Function<Field<Long>, Field<Instant>> mapping) {
        return field -> mapping.apply((Field<Long>) field);
    }

    private static Converter<Long, Instant> micros() {
        return Converter.ofNullable(Long.class, Instant.class, Micros::at, Micros::of);
    }

    private static Converter<LocalDateTime, Instant> utc() {
        return Converter.ofNullable(
                LocalDateTime.class,
                Instant.class,
                local -> local.toInstant(ZoneOffset.UTC),
                instant -> LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
    }
}
