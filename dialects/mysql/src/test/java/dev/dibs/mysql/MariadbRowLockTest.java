package dev.dibs.mysql;

import dev.dibs.testkit.RowLockContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbRowLockTest extends RowLockContract {

    MariadbRowLockTest() {
        super(TestDatabase.mariadb());
    }
}
