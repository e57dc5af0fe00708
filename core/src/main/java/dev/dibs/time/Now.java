package dev.dibs.time;

import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.DSL;

/**
 * One reading of a clock, as SQL: microseconds since 1970 in UTC.
 *
 * @param compared for conditions: fixed while a statement runs, so that an index can serve it
 * @param written for values: never older than the moment when the statement executes
 */
public record Now(Field<Long> compared, Field<Long> written) {

    /** What the clock read so long ago. */
    public Now before(Duration ago) {
        return new Now(earlier(compared, Micros.of(ago)), earlier(written, Micros.of(ago)));
    }

    /** The same reading as values, for several statements or rows, where SQL would read the clock anew for each. */
    public Now read(DSLContext dsl) {
        if (isRead()) {
            return this;
        }
        var micros = DSL.val(dsl.select(compared).fetchSingle().value1());
        return new Now(micros, micros);
    }

    /** Whether it is a value, not SQL that reads the database's clock. */
    public boolean isRead() {
        return compared instanceof Param;
    }

    private static Field<Long> earlier(Field<Long> micros, long by) {
        return micros instanceof Param<Long> given ? DSL.val(given.getValue() - by) : micros.minus(DSL.val(by));
    }
}
