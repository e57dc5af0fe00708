package dev.dibs.mysql;

import dev.dibs.testkit.ClaimSqlContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbClaimSqlTest extends ClaimSqlContract {

    MariadbClaimSqlTest() {
        super(TestDatabase.mariadb());
    }
}
