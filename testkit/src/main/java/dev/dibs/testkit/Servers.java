package dev.dibs.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.mariadb.MariaDBContainer;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** The ways to a database server: a URL that was given, else Docker, else an embedded one. */
final class Servers {

    private static final Setting DOCKER = Setting.of("docker");
    private static final Setting DURABLE = Setting.of("durable");
    private static final String PASSWORD = "dibs";

    private Servers() {}

    /**
     * The server for an engine, started if need be.
     *
     * @throws IllegalStateException if there is no way to one, saying what was tried
     */
    static Server start(Engine engine, boolean isRequired) {
        if (engine == Engine.SQLITE) {
            return SqliteFiles.inTemporaryFolder();
        }
        var url = Setting.of(engine.label(), "url").value();
        if (url.isPresent()) {
            return given(engine, url.get());
        }
        if (!isDockerThere()) {
            return embedded(engine, "embedded");
        }
        return isRequired || engine == Engine.MYSQL ? container(engine) : containerOrEmbedded(engine);
    }

    // A Docker that answers may still have no way to the image. A required database is the one that was asked for.
    private static Server containerOrEmbedded(Engine engine) {
        try {
            return container(engine);
        } catch (RuntimeException failed) {
            return embedded(engine, "embedded, for Docker could not start it (%s)".formatted(failed.getMessage()));
        }
    }

    private static boolean isDockerThere() {
        return !DOCKER.value().equals(Optional.of("off"))
                && DockerClientFactory.instance().isDockerAvailable();
    }

    /** Whether servers that are started here flush each commit; tests need not survive a power failure, figures must. */
    static boolean isDurable() {
        return DURABLE.value().equals(Optional.of("true"));
    }

    private static Server given(Engine engine, String url) {
        var user = Setting.of(engine.label(), "user").value().orElse("");
        var password = Setting.of(engine.label(), "password").value().orElse("");
        return new Server.ByAddress("given URL", new Address(url, user, password, engine.dialect()));
    }

    private static Server container(Engine engine) {
        var image = Setting.of(engine.label(), "image").value().orElse(engine.officialImage());
        var container = container(engine, DockerImageName.parse(image));
        container.withPassword(PASSWORD).start();
        return new Server.ByAddress(
                "docker " + image,
                new Address(container.getJdbcUrl(), container.getUsername(), PASSWORD, engine.dialect()));
    }

    // Nothing here is secret: a password of PostgreSQL's and encryption by MySQL cost each connection 20 ms of CPU, and
    // tests open some ten each.
    private static JdbcDatabaseContainer<?> container(Engine engine, DockerImageName image) {
        var flushes = isDurable();
        var innodb = "--innodb-flush-log-at-trx-commit=" + (flushes ? 1 : 0);
        return switch (engine) {
            case POSTGRESQL ->
                new PostgreSQLContainer(image.asCompatibleSubstituteFor("postgres"))
                        .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
                        .withCommand(
                                "postgres",
                                "-c",
                                "fsync=" + (flushes ? "on" : "off"),
                                "-c",
                                "max_connections=300",
                                "-c",
                                "max_prepared_transactions=10");
            case MYSQL ->
                new MySQLContainer(image.asCompatibleSubstituteFor("mysql"))
                        .withUsername("root")
                        .withUrlParam("sslMode", "DISABLED")
                        .withUrlParam("allowPublicKeyRetrieval", "true")
                        .withCommand("mysqld", "--skip-log-bin", innodb, "--max-connections=300");
            case MARIADB ->
                new MariaDBContainer(image.asCompatibleSubstituteFor("mariadb"))
                        .withUsername("root")
                        .withCommand("mariadbd", innodb, "--max-connections=300");
            case SQLITE -> throw new IllegalArgumentException("SQLite has no server");
        };
    }

    private static Server embedded(Engine engine, String origin) {
        return switch (engine) {
            case POSTGRESQL -> new Server.ByAddress(origin, EmbeddedDatabase.postgresql());
            case MARIADB -> new Server.ByAddress(origin, EmbeddedDatabase.mariadb());
            case MYSQL ->
                throw new IllegalStateException("there is no Docker here and no embedded MySQL; start Docker, or"
                        + " give a URL in " + Setting.of(engine.label(), "url").variable());
            case SQLITE -> throw new IllegalArgumentException("SQLite has no server");
        };
    }

    private record SqliteFiles(Path folder) implements Server {

        static SqliteFiles inTemporaryFolder() {
            try {
                return new SqliteFiles(Files.createTempDirectory("dibs-sqlite-"));
            } catch (IOException failed) {
                throw new UncheckedIOException("no folder for SQLite's files can be made", failed);
            }
        }

        @Override
        public String origin() {
            return "file";
        }

        @Override
        public Address newDatabase(String name) {
            var flushes = isDurable() ? "FULL" : "NORMAL";
            var url = "jdbc:sqlite:%s?journal_mode=WAL&synchronous=%s".formatted(folder.resolve(name + ".db"), flushes);
            return new Address(url, "", "", Engine.SQLITE.dialect());
        }
    }
}
