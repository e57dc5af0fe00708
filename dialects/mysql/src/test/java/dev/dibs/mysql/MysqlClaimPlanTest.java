package dev.dibs.mysql;

import dev.dibs.testkit.SkipLockedPlanContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlClaimPlanTest extends SkipLockedPlanContract {

    MysqlClaimPlanTest() {
        super(TestDatabase.mysql());
    }
}
