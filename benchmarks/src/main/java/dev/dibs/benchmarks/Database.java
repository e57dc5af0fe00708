package dev.dibs.benchmarks;

import dev.dibs.benchmarks.Machine.Durability;
import dev.dibs.table.LockForm;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jooq.SQLDialect;

/** A database that is measured, and what a raw loop says to it. */
enum Database {
    POSTGRESQL,
    MYSQL,
    MARIADB,
    SQLITE;

    private static final String SERVER_PLANS = "useServerPrepStmts=true&cachePrepStmts=true&prepStmtCacheSqlLimit=4096";

    /** The one of a name such as "postgresql". */
    static Database of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /**
     * The one that a JDBC URL names.
     *
     * @throws IllegalArgumentException if it names none that is measured
     */
    static Database ofUrl(String url) {
        return Arrays.stream(values())
                .filter(database -> url.startsWith("jdbc:%s:".formatted(database)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the JDBC URL \"%s\" names none of the databases that are measured; it begins with %s"
                                .formatted(
                                        url,
                                        Arrays.stream(values())
                                                .map("jdbc:%s:"::formatted)
                                                .collect(Collectors.joining(", ")))));
    }

    /** The one that an id begins with; PostgreSQL where it names none, which is where the peers are measured. */
    static Database named(String id) {
        return Arrays.stream(values())
                .filter(database -> id.startsWith(database + "."))
                .findFirst()
                .orElse(POSTGRESQL);
    }

    /** A new, empty database of the caller's own; {@code TestDatabase} says how its server is found. */
    Address create() {
        return home().newDatabase();
    }

    /**
     * An address whose connections prepare statements on the server, as raw loops do: the drivers of MySQL and MariaDB do so only
     * where they are told. A URL that says something about it is left as it is.
     */
    Address withServerPlans(Address address) {
        return switch (this) {
            case POSTGRESQL, SQLITE -> address;
            case MYSQL, MARIADB ->
                address.url().contains("useServerPrepStmts")
                        ? address
                        : new Address(
                                address.url() + (address.url().contains("?") ? "&" : "?") + SERVER_PLANS,
                                address.user(),
                                address.password(),
                                address.dialect());
        };
    }

    /** What keeps one session from waiting for the flush of its commits, if that can be said by a statement. */
    Optional<String> unflushed() {
        return switch (this) {
            case POSTGRESQL -> Optional.of("set synchronous_commit = off");
            case SQLITE -> Optional.of("pragma synchronous = off");
            case MYSQL, MARIADB -> Optional.empty();
        };
    }

    private TestDatabase home() {
        return switch (this) {
            case POSTGRESQL -> TestDatabase.postgresql();
            case MYSQL -> TestDatabase.mysql();
            case MARIADB -> TestDatabase.mariadb();
            case SQLITE -> TestDatabase.sqlite();
        };
    }

    /** What decides whether its commits are on the disk when they are answered. */
    List<Durability> durability() {
        return switch (this) {
            case POSTGRESQL ->
                List.of(
                        new Durability("fsync", "show fsync", List.of("on")),
                        new Durability("synchronous_commit", "show synchronous_commit", List.of("on")));
            case MYSQL, MARIADB ->
                List.of(new Durability(
                        "innodb_flush_log_at_trx_commit", "select @@innodb_flush_log_at_trx_commit", List.of("1")));
            case SQLITE ->
                List.of(
                        new Durability("journal_mode", "pragma journal_mode", List.of("wal")),
                        new Durability("synchronous (2 is FULL)", "pragma synchronous", List.of("2", "3")));
        };
    }

    /** Whether an update answers with the rows that it wrote, so that a claim is one statement. */
    boolean updatesAnswerWithRows() {
        return this == POSTGRESQL || this == SQLITE;
    }

    /** The jOOQ dialect to use with it. */
    SQLDialect dialect() {
        return home().dialect();
    }

    /** Whether it has the form, and a raw loop of it. */
    boolean has(LockForm form) {
        return switch (form) {
            case LEASE -> true;
            case ROW_LOCK -> this != SQLITE;
            case ADVISORY -> this == POSTGRESQL;
        };
    }

    /** The name as its makers write it. */
    String label() {
        return switch (this) {
            case POSTGRESQL -> "PostgreSQL";
            case MYSQL -> "MySQL";
            case MARIADB -> "MariaDB";
            case SQLITE -> "SQLite";
        };
    }

    /** The name in ids, settings and URLs. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
