package dev.dibs.mysql;

import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Test;

final class MysqlCheckTest extends MysqlFamilyCheckContract {

    MysqlCheckTest() {
        super(TestDatabase.mysql());
    }

    /** C32: a server that does not know the lock clause. */
    @Test
    void c32AServerWithoutSkipLockedIsRefused() {
        assertRefused(saying("5.7.44-log"))
                .hasMessageContaining("the server is MySQL 5.7.44-log")
                .hasMessageContaining("needs MySQL 8.0.1 or later");
    }

    /** C32: MariaDB behind MySQL's dialect. */
    @Test
    void c32AMariadbThatIsTakenForAMysqlIsRefused() {
        assertRefused(saying("5.5.5-10.5.12-MariaDB"))
                .hasMessageContaining("the DSLContext says MYSQL")
                .hasMessageContaining("give the DSLContext SQLDialect.MARIADB");
    }

    /** C32: another server that speaks the protocol, and waits where it should skip. */
    @Test
    void c32ATidbIsRefused() {
        assertRefused(saying("8.0.11-TiDB-v7.5.0")).hasMessageContaining("says that it is \"8.0.11-TiDB-v7.5.0\"");
    }
}
