package dev.dibs.testkit;

import dev.dibs.spi.Dialect;
import java.util.ServiceLoader;
import org.jooq.SQLDialect;

/** The dialects on the class path. */
final class Dialects {

    private Dialects() {}

    /** The one that serves a database. */
    static Dialect of(SQLDialect family) {
        return ServiceLoader.load(Dialect.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(dialect -> dialect.serves(family))
                .findFirst()
                .orElseThrow();
    }
}
