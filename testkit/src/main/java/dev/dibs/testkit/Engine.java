package dev.dibs.testkit;

import java.util.Locale;
import org.jooq.SQLDialect;

/** The databases that Dibs is tested on. */
enum Engine {
    POSTGRESQL(SQLDialect.POSTGRES, "postgres:18"),
    MYSQL(SQLDialect.MYSQL, "mysql:9"),
    MARIADB(SQLDialect.MARIADB, "mariadb:11"),
    SQLITE(SQLDialect.SQLITE, "");

    private final SQLDialect dialect;
    private final String officialImage;

    Engine(SQLDialect dialect, String officialImage) {
        this.dialect = dialect;
        this.officialImage = officialImage;
    }

    SQLDialect dialect() {
        return dialect;
    }

    String officialImage() {
        return officialImage;
    }

    /** The name in settings and messages. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
