package dev.dibs.mysql;

import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.DeadLetters;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeColumn;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * Looks whether a table's time columns are what their mapping says.
 *
 * <p>jOOQ has one type for DATETIME and TIMESTAMP, and a mapping by hand may tell another precision than the column has.
 */
record MysqlTimes(DSLContext dsl, QueueRef queue, OwnTransaction transaction) {

    /** How wide a value without a fraction is written: 2026-03-01 12:00:00. */
    private static final int WIDTH = 19;

    /** Refuses a column that the session's zone would shift, or whose fractions the database would round. */
    void run() {
        look(queue.table());
        if (queue.table().destination() instanceof DeadLetters.OtherTable dead) {
            look(dead.table());
        }
    }

    private void look(QueueTable<?> table) {
        for (var part : List.of(Part.DUE_AT, Part.LEASED_UNTIL, Part.FINISHED_AT)) {
            table.find(part).ifPresent(column -> compare(TimeColumn.of(column), seen(table, column)));
        }
    }

    private void compare(TimeColumn mapped, Seen seen) {
        if (!seen.holds(mapped)) {
            throw new QueueException(
                    "%s: the column %s is mapped as %s with %d digits, and is a %s with %d; map a DATETIME as LOCALDATETIME(digits), a TIMESTAMP as TimeFields.timestamp(..) of that, and a number as a BIGINT"
                            .formatted(
                                    queue, mapped, mapped.description(), mapped.digits(), seen.type(), seen.digits()));
        }
    }

    private Seen seen(QueueTable<?> table, Field<?> column) {
        return transaction.single(dsl, own -> {
            try (var none = own.select(column)
                    .from(table.table())
                    .where(DSL.falseCondition())
                    .fetchResultSet()) {
                return Seen.of(none.getMetaData());
            } catch (SQLException failed) {
                throw new DataAccessException("the type of a column cannot be read: " + failed.getMessage(), failed);
            }
        });
    }

    /** A column's own type. */
    private record Seen(String type, int digits) {

        static Seen of(ResultSetMetaData column) throws SQLException {
            return new Seen(
                    column.getColumnTypeName(1).toUpperCase(Locale.ROOT),
                    Math.max(0, column.getPrecision(1) - WIDTH - 1)); // a fraction has a point before it
        }

        boolean holds(TimeColumn mapped) {
            if (isNumber() || mapped.isNumber()) {
                return isNumber() == mapped.isNumber();
            }
            return isZoned() == mapped.isZoned() && digits >= mapped.digits();
        }

        boolean isZoned() {
            return type.equals("TIMESTAMP");
        }

        boolean isNumber() {
            return !isZoned() && !type.equals("DATETIME");
        }
    }
}
