package dev.dibs.mysql;

import dev.dibs.testkit.KeepingContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbKeepingTest extends KeepingContract {

    MariadbKeepingTest() {
        super(TestDatabase.mariadb());
    }
}
