package dev.dibs.schema;

import dev.dibs.table.QueueException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jooq.SQLDialect;

/** The kinds of database that have scripts here, each with its oldest version and what Flyway needs for it. */
enum Server {
    POSTGRESQL("PostgreSQL", "12", SQLDialect.POSTGRES, "flyway-database-postgresql"),
    MYSQL("MySQL", "8.0.17", SQLDialect.MYSQL, "flyway-mysql"),
    MARIADB("MariaDB", "10.6", SQLDialect.MARIADB, "flyway-mysql"),
    SQLITE("SQLite", "3.35", SQLDialect.SQLITE, "flyway-core");

    // MariaDB of before version 11 says 5.5.5-10.6.12-MariaDB, so that old replicas take it for a MySQL.
    private static final Pattern NUMBERS = Pattern.compile("^(?:5\\.5\\.5-)?(\\d+(?:\\.\\d+)*)");

    private final String product;
    private final String oldest;
    private final SQLDialect dialect;
    private final String flywayArtifact;

    Server(String product, String oldest, SQLDialect dialect, String flywayArtifact) {
        this.product = product;
        this.oldest = oldest;
        this.dialect = dialect;
        this.flywayArtifact = flywayArtifact;
    }

    /** The server behind a connection, refused if it is unknown or too old. */
    static Server of(Connection connection) throws SQLException {
        var seen = connection.getMetaData();
        return of(seen.getDatabaseProductName(), seen.getDatabaseProductVersion());
    }

    static Server of(String product, String version) {
        var server = Arrays.stream(values())
                .filter(known -> known.product.equals(kind(product, version)))
                .findFirst()
                .orElseThrow(() -> new QueueException(
                        "the database is %s %s, which has no managed tables; they exist for %s, each or later"
                                .formatted(product, version, known())));
        if (Arrays.compare(numbers(version), numbers(server.oldest)) < 0) {
            throw new QueueException("the database is %s %s; the managed tables need %s %s or later"
                    .formatted(server, version, server, server.oldest));
        }
        return server;
    }

    SQLDialect dialect() {
        return dialect;
    }

    String flywayArtifact() {
        return flywayArtifact;
    }

    /** The class path folder of this server's scripts. */
    String scripts() {
        return "dev/dibs/schema/" + name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return product;
    }

    // MySQL's driver calls a MariaDB server MySQL too.
    private static String kind(String product, String version) {
        return version.toLowerCase(Locale.ROOT).contains("mariadb") ? MARIADB.product : product;
    }

    private static int[] numbers(String version) {
        var found = NUMBERS.matcher(version);
        return found.find()
                ? Arrays.stream(found.group(1).split("\\.", -1))
                        .mapToInt(Integer::parseInt)
                        .toArray()
                : new int[0];
    }

    private static String known() {
        return Arrays.stream(values())
                .map(server -> server.product + " " + server.oldest)
                .collect(Collectors.joining(", "));
    }
}
