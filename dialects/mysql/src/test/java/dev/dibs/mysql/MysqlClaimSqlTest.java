package dev.dibs.mysql;

import dev.dibs.testkit.ClaimSqlContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlClaimSqlTest extends ClaimSqlContract {

    MysqlClaimSqlTest() {
        super(TestDatabase.mysql());
    }
}
