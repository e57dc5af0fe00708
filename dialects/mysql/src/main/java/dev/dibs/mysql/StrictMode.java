package dev.dibs.mysql;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Looks whether a session refuses a value that its column cannot hold, instead of cutting it. */
final class StrictMode {

    private static final List<String> STRICT = List.of("STRICT_TRANS_TABLES", "STRICT_ALL_TABLES");

    private StrictMode() {}

    /** Refuses a session in which a payload that is too long would be stored in part. */
    static void check(DSLContext dsl, QueueRef queue) {
        var mode = String.valueOf(dsl.select(sqlMode()).fetchSingle().value1());
        if (STRICT.stream().noneMatch(mode::contains)) {
            throw new QueueException(
                    "%s: the session's sql_mode is \"%s\", which cuts a payload that is too long for its column; add STRICT_TRANS_TABLES to it, on the server or in the JDBC URL"
                            .formatted(queue, mode));
        }
    }

    // jOOQ knows no server variables.
    private static Field<String> sqlMode() {
        return DSL.field(DSL.raw("@@session.sql_mode"), String.class);
    }
}
