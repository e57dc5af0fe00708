package dev.dibs.testkit;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.SQLDialect;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * A real database for tests.
 *
 * <p>A URL that is given wins ({@code dibs.test.postgresql.url}, or DIBS_TEST_POSTGRESQL_URL with _USER and _PASSWORD);
 * else Docker, with an official image or another one (DIBS_TEST_POSTGRESQL_IMAGE); else an embedded PostgreSQL or
 * MariaDB; SQLite is always there. A database that is not to be had skips its tests, unless it is named in
 * DIBS_TEST_REQUIRED or CI is true: then they fail. A server that is started here flushes its commits only where
 * {@code dibs.test.durable} is true.
 *
 * <p>Safe for any thread. One server is started in a JVM, when it is first asked for.
 */
public final class TestDatabase {

    private static final Map<Engine, TestDatabase> ALL = new EnumMap<>(Map.of(
            Engine.POSTGRESQL, new TestDatabase(Engine.POSTGRESQL),
            Engine.MYSQL, new TestDatabase(Engine.MYSQL),
            Engine.MARIADB, new TestDatabase(Engine.MARIADB),
            Engine.SQLITE, new TestDatabase(Engine.SQLITE)));

    private final Engine engine;
    private final AtomicInteger databases = new AtomicInteger();
    private @Nullable Server server;
    private @Nullable String absence;

    private TestDatabase(Engine engine) {
        this.engine = engine;
    }

    /** PostgreSQL. */
    public static TestDatabase postgresql() {
        return of(Engine.POSTGRESQL);
    }

    /** MySQL. */
    public static TestDatabase mysql() {
        return of(Engine.MYSQL);
    }

    /** MariaDB. */
    public static TestDatabase mariadb() {
        return of(Engine.MARIADB);
    }

    /** SQLite, in files. */
    public static TestDatabase sqlite() {
        return of(Engine.SQLITE);
    }

    /** The jOOQ dialect to use with it. */
    public SQLDialect dialect() {
        return engine.dialect();
    }

    /**
     * A new, empty database of the caller's own.
     *
     * @throws TestAbortedException if there is no server, which skips the test
     * @throws IllegalStateException if there is no server and there must be one
     */
    public Address newDatabase() {
        return server().newDatabase("dibs_test_%s_%d"
                .formatted(
                        Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX),
                        databases.incrementAndGet()));
    }

    /** The name in settings and messages. */
    @Override
    public String toString() {
        return engine.label();
    }

    /** What was used in this JVM and what was not to be had, in one line; empty if no test asked. */
    static Optional<String> summary() {
        var asked = ALL.values().stream()
                .flatMap(database -> database.state().stream())
                .toList();
        return asked.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", asked));
    }

    private static TestDatabase of(Engine engine) {
        return Optional.ofNullable(ALL.get(engine)).orElseThrow();
    }

    private synchronized Server server() {
        if (server == null && absence == null) {
            try {
                server = Servers.start(engine, isRequired());
            } catch (RuntimeException | LinkageError failed) {
                absence = String.valueOf(failed.getMessage());
            }
        }
        return Optional.ofNullable(server).orElseThrow(this::absent);
    }

    private RuntimeException absent() {
        var message = "%s is not to be had: %s".formatted(this, absence);
        return isRequired() ? new IllegalStateException(message) : new TestAbortedException(message);
    }

    private boolean isRequired() {
        var required = Setting.of("required").value();
        return required.map(names -> namedIn(names)).orElseGet(() -> "true".equals(System.getenv("CI")));
    }

    private boolean namedIn(String names) {
        List<String> all = Arrays.asList(names.toLowerCase(Locale.ROOT).split("[,\\s]+", -1));
        return all.contains(engine.label());
    }

    private synchronized Optional<String> state() {
        return Optional.ofNullable(server)
                .map(running -> "%s from %s".formatted(this, running.origin()))
                .or(() -> Optional.ofNullable(absence).map(why -> "%s SKIPPED, %s".formatted(this, why)));
    }
}
