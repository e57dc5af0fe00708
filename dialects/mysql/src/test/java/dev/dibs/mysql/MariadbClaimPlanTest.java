package dev.dibs.mysql;

import dev.dibs.testkit.SkipLockedPlanContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbClaimPlanTest extends SkipLockedPlanContract {

    MariadbClaimPlanTest() {
        super(TestDatabase.mariadb());
    }
}
