package dev.dibs.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.table.QueueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerTest {

    @ParameterizedTest
    @CsvSource({
        "PostgreSQL, 12.22, POSTGRESQL",
        "PostgreSQL, 18.4 (Debian 18.4-1), POSTGRESQL",
        "PostgreSQL, 19beta1, POSTGRESQL",
        "MySQL, 8.0.17, MYSQL",
        "MySQL, 9.7.4-2, MYSQL",
        "MariaDB, 10.6.0-MariaDB, MARIADB",
        "MariaDB, 11.8.3-MariaDB-0+deb13u1, MARIADB",
        "MySQL, 11.4.5-MariaDB-log, MARIADB",
        "MySQL, 5.5.5-10.11.6-MariaDB, MARIADB",
        "SQLite, 3.35.0, SQLITE",
        "SQLite, 3.51.1, SQLITE"
    })
    void aServerIsKnownByWhatItSaysOfItself(String product, String version, Server server) {
        assertThat(Server.of(product, version)).isEqualTo(server);
    }

    @ParameterizedTest
    @CsvSource({
        "PostgreSQL, 11.22, PostgreSQL, 12",
        "MySQL, 5.7.44, MySQL, 8.0.17",
        "MySQL, 8.0.16, MySQL, 8.0.17",
        "MySQL, 8.0.11-TiDB-v7.5.0, MySQL, 8.0.17",
        "MySQL, 5.5.5-10.5.9-MariaDB, MariaDB, 10.6",
        "SQLite, 3.34.1, SQLite, 3.35",
        "SQLite, unknown, SQLite, 3.35"
    })
    void anOldServerIsRefused_C32(String product, String version, String server, String oldest) {
        assertThatThrownBy(() -> Server.of(product, version))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "the database is %s %s; the managed tables need %s %s or later",
                        server, version, server, oldest);
    }

    @Test
    void anUnknownServerIsRefused() {
        assertThatThrownBy(() -> Server.of("H2", "2.4.240 (2025-09-22)"))
                .isInstanceOf(QueueException.class)
                .hasMessage("the database is H2 2.4.240 (2025-09-22), which has no managed tables; they exist for"
                        + " PostgreSQL 12, MySQL 8.0.17, MariaDB 10.6, SQLite 3.35, each or later");
    }
}
