package dev.dibs.sqlite;

import dev.dibs.testkit.ClaimSqlContract;
import dev.dibs.testkit.TestDatabase;

final class SqliteClaimSqlTest extends ClaimSqlContract {

    SqliteClaimSqlTest() {
        super(TestDatabase.sqlite());
    }
}
