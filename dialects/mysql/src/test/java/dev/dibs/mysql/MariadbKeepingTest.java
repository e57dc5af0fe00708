package dev.dibs.mysql;

import dev.dibs.testkit.KeepingServerContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbKeepingTest extends KeepingServerContract {

    MariadbKeepingTest() {
        super(TestDatabase.mariadb());
    }
}
