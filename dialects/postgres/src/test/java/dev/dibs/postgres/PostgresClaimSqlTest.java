package dev.dibs.postgres;

import dev.dibs.testkit.ClaimSqlContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresClaimSqlTest extends ClaimSqlContract {

    PostgresClaimSqlTest() {
        super(TestDatabase.postgresql());
    }
}
