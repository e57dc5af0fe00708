package dev.dibs.examples;

import org.jooq.SQLDialect;

/** The databases that the invoice service runs on. */
enum Database {
    sqlite(SQLDialect.SQLITE, "org.sqlite.JDBC"),
    postgresql(SQLDialect.POSTGRES, "org.postgresql.Driver"),
    mysql(SQLDialect.MYSQL, "com.mysql.cj.jdbc.Driver"),
    mariadb(SQLDialect.MARIADB, "org.mariadb.jdbc.Driver");

    private final SQLDialect dialect;
    private final String driver;

    Database(SQLDialect dialect, String driver) {
        this.dialect = dialect;
        this.driver = driver;
    }

    SQLDialect dialect() {
        return dialect;
    }

    /** The JDBC driver's class, loaded. */
    Class<?> driver() {
        try {
            return Class.forName(driver);
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException("the JDBC driver of %s is not on the class path".formatted(this), missing);
        }
    }

    /** The database that a JDBC URL names. */
    static Database of(String url) {
        for (var database : values()) {
            if (url.startsWith("jdbc:" + database.name() + ":")) {
                return database;
            }
        }
        throw new IllegalArgumentException(
                "the JDBC URL \"%s\" names none of the databases that Dibs serves; it begins with jdbc:sqlite:, jdbc:postgresql:, jdbc:mysql: or jdbc:mariadb:"
                        .formatted(url));
    }
}
