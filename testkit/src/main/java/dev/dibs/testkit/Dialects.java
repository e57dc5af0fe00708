package dev.dibs.testkit;

import dev.dibs.spi.Dialect;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The dialects on the class path. */
final class Dialects {

    private Dialects() {}

    /** The one that serves a database. */
    static Dialect of(SQLDialect family) {
        return Dialect.of(DSL.using(family), "a test");
    }
}
