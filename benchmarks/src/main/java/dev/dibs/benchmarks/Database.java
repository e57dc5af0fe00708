package dev.dibs.benchmarks;

import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import java.util.Locale;

/** A database that is measured, and what a raw loop says to it. */
enum Database {
    POSTGRESQL,
    MYSQL,
    MARIADB,
    SQLITE;

    /** The one of a name such as "postgresql". */
    static Database of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** A new, empty database of the caller's own; {@code TestDatabase} says how its server is found. */
    Address create() {
        var home = switch (this) {
            case POSTGRESQL -> TestDatabase.postgresql();
            case MYSQL -> TestDatabase.mysql();
            case MARIADB -> TestDatabase.mariadb();
            case SQLITE -> TestDatabase.sqlite();
        };
        return home.newDatabase();
    }

    /** Whether an update answers with the rows that it wrote, so that a claim is one statement. */
    boolean updatesAnswerWithRows() {
        return this == POSTGRESQL || this == SQLITE;
    }
}
