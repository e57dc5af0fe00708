package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.ClaimPlanContract;
import dev.dibs.testkit.TestDatabase;

final class SqliteClaimPlanTest extends ClaimPlanContract {

    SqliteClaimPlanTest() {
        super(TestDatabase.sqlite(), LockForm.LEASE);
    }
}
