package dev.dibs.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.testkit.EmbeddedDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the queue's tables are.
 *
 * @param user empty where there is none
 */
record Place(Database database, String url, String user, String password) {

    /** A server that does not answer for this long is taken for absent. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The database at a URL. */
    static Place at(String url, String user, String password) {
        return new Place(Database.of(url), url, user, password);
    }

    /** A database that needs nothing installed: a file, or a server out of Maven artifacts. */
    static Place provided(Database database, Path folder) {
        return switch (database) {
            case sqlite -> new Place(database, file(folder), "", "");
            case postgresql -> {
                var server = EmbeddedDatabase.postgresql();
                yield new Place(database, server.url(), server.user(), server.password());
            }
            case mariadb -> {
                var server = EmbeddedDatabase.mariadb();
                yield new Place(database, server.url(), server.user(), server.password());
            }
            case mysql ->
                throw new IllegalArgumentException(
                        "there is no embedded MySQL; give the URL of a server: --url jdbc:mysql://HOST/DATABASE?user=..&password=..");
        };
    }

    /** A pool of connections, of which one is opened at once to see whether the database answers. */
    HikariDataSource pool(int size) {
        database.driver();
        var settings = new HikariConfig();
        settings.setJdbcUrl(url);
        settings.setUsername(orNull(user));
        settings.setPassword(orNull(password));
        settings.setMaximumPoolSize(size);
        settings.setConnectionTimeout(PATIENCE.toMillis());
        try {
            return new HikariDataSource(settings);
        } catch (RuntimeException unreachable) {
            throw new IllegalStateException(
                    "the database at %s does not answer (%s); is it running, and are the address, user and password right?"
                            .formatted(withoutSecrets(), rootOf(unreachable).getMessage()),
                    unreachable);
        }
    }

    private String withoutSecrets() {
        var options = url.indexOf('?');
        return options < 0 ? url : url.substring(0, options);
    }

    private static String file(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException("the folder %s cannot be created".formatted(folder), failed);
        }
        return "jdbc:sqlite:%s?journal_mode=WAL&synchronous=NORMAL".formatted(folder.resolve("invoices.sqlite"));
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static Throwable rootOf(Throwable thrown) {
        var cause = thrown.getCause();
        return cause == null ? thrown : rootOf(cause);
    }
}
