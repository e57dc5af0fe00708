package dev.dibs.time;

import java.time.Instant;
import java.time.InstantSource;
import org.jooq.Field;
import org.jooq.SQL;
import org.jooq.SQLDialect;
import org.jooq.impl.CustomField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The database's clock as microseconds since 1970 in UTC, whatever the session's time zone. */
final class DatabaseClock {

    // jOOQ's currentTimestamp() is the transaction's start on PostgreSQL and the session's zone on MySQL: hence text.
    private static final String POSTGRES = "(extract(epoch from %s()) * 1000000)::bigint";
    private static final String MYSQL = "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";
    private static final String SQLITE = "(cast(strftime('%s', 'now') as integer) * 1000000"
            + " + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)";

    private DatabaseClock() {}

    /** Fixed while a statement runs: PostgreSQL takes a volatile clock for no index condition. */
    static Field<Long> compared() {
        return clock("statement_timestamp");
    }

    /** The moment of execution, later than any lock that the statement waited for. */
    static Field<Long> written() {
        return clock("clock_timestamp");
    }

    /** About what it says, by this host's clock. */
    static Instant estimate() {
        return InstantSource.system().instant();
    }

    /** A number of microseconds, cut to a multiple of the unit. */
    static Field<Long> cut(Field<Long> micros, long unit) {
        return CustomField.of("cut", SQLDataType.BIGINT, context -> {
            var isMysql = context.family() == SQLDialect.MYSQL || context.family() == SQLDialect.MARIADB;
            context.visit(DSL.sql((isMysql ? "({0} div %1$d * %1$d)" : "({0} / %1$d * %1$d)").formatted(unit), micros));
        });
    }

    private static Field<Long> clock(String postgresFunction) {
        return CustomField.of(
                "now", SQLDataType.BIGINT, context -> context.visit(sql(context.family(), postgresFunction)));
    }

    private static SQL sql(SQLDialect family, String postgresFunction) {
        return switch (family) {
            case POSTGRES -> DSL.raw(POSTGRES.formatted(postgresFunction));
            case MYSQL, MARIADB -> DSL.raw(MYSQL);
            case SQLITE -> DSL.raw(SQLITE);
            default ->
                throw new UnsupportedOperationException(
                        "the clock of %s is not known; use TimeSource.host()".formatted(family.getName()));
        };
    }
}
