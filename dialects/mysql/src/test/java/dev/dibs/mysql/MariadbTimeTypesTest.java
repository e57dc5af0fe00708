package dev.dibs.mysql;

import dev.dibs.testkit.TestDatabase;
import dev.dibs.testkit.TimeTypesContract;

final class MariadbTimeTypesTest extends TimeTypesContract {

    MariadbTimeTypesTest() {
        super(TestDatabase.mariadb());
    }
}
