package dev.dibs.mysql;

import dev.dibs.testkit.LeaseContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbLeaseTest extends LeaseContract {

    MariadbLeaseTest() {
        super(TestDatabase.mariadb());
    }
}
