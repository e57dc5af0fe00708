package dev.dibs.mysql;

import dev.dibs.testkit.AdvisoryServerContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbAdvisoryTest extends AdvisoryServerContract {

    MariadbAdvisoryTest() {
        super(TestDatabase.mariadb());
    }
}
