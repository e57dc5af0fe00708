package dev.dibs.mysql;

import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Test;

final class MariadbCheckTest extends MysqlFamilyCheckContract {

    MariadbCheckTest() {
        super(TestDatabase.mariadb());
    }

    /** C32: a server that does not know the lock clause. */
    @Test
    void c32AServerWithoutSkipLockedIsRefused() {
        assertRefused(saying("5.5.5-10.5.12-MariaDB"))
                .hasMessageContaining("the server is MariaDB 5.5.5-10.5.12-MariaDB")
                .hasMessageContaining("needs MariaDB 10.6 or later");
    }

    /** C32: MySQL behind MariaDB's dialect. */
    @Test
    void c32AMysqlThatIsTakenForAMariadbIsRefused() {
        assertRefused(saying("8.0.34-0ubuntu0"))
                .hasMessageContaining("the DSLContext says MARIADB")
                .hasMessageContaining("give the DSLContext SQLDialect.MYSQL");
    }
}
