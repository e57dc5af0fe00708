package dev.dibs.postgres;

import dev.dibs.testkit.SkipLockedPlanContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresClaimPlanTest extends SkipLockedPlanContract {

    PostgresClaimPlanTest() {
        super(TestDatabase.postgresql());
    }
}
