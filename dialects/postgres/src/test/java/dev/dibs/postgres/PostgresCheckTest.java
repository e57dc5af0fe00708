package dev.dibs.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.testkit.SkipLockedCheckContract;
import dev.dibs.testkit.TestDatabase;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PostgresCheckTest extends SkipLockedCheckContract {

    PostgresCheckTest() {
        super(TestDatabase.postgresql());
    }

    /** C32: a server that does not know what a claim says. */
    @Test
    void c32AServerBeforeVersion12IsRefused() {
        assertRefused(saying("PostgreSQL 11.22 (Debian 11.22-0+deb10u1) on x86_64-pc-linux-gnu, compiled by gcc"))
                .hasMessageContaining("the server is PostgreSQL 11.22")
                .hasMessageContaining("needs PostgreSQL 12 or later")
                .hasMessageContaining("upgrade the server");
    }

    /** C32: another server that speaks the protocol. */
    @Test
    void c32AServerThatIsNoPostgresqlIsRefused() {
        assertRefused(saying("CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15)"))
                .hasMessageContaining("the DSLContext says POSTGRES")
                .hasMessageContaining("CockroachDB CCL v24.1.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void sessionsAboveReadCommittedAreRefused(String isolation) {
        var settings = new HikariConfig();
        settings.setJdbcUrl(address().url());
        settings.setUsername(address().user());
        settings.setPassword(address().password());
        settings.setConnectionInitSql("set default_transaction_isolation = '%s'".formatted(isolation));
        try (var pool = new HikariDataSource(settings)) {
            assertRefused(queue(pool))
                    .hasMessageContaining("its sessions run at " + isolation)
                    .hasMessageContaining("40001")
                    .hasMessageContaining("default_transaction_isolation");
        }
    }

    @Test
    void aNameThatTheServerWouldCutIsRefused() {
        assertRefused(queueInTable("ä".repeat(32)))
                .hasMessageContaining("has 64 bytes, and the database keeps 63")
                .hasMessageContaining("rename the table or column");
    }

    private static UnaryOperator<String> saying(String version) {
        return sql -> sql.replace("version()", "'%s'".formatted(version));
    }
}
