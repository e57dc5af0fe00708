package dev.dibs.mysql;

import dev.dibs.testkit.SoakContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbSoakTest extends SoakContract {

    MariadbSoakTest() {
        super(TestDatabase.mariadb());
    }
}
