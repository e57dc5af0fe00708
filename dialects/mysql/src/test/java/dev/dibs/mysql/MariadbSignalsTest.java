package dev.dibs.mysql;

import dev.dibs.testkit.SignalsContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbSignalsTest extends SignalsContract {

    MariadbSignalsTest() {
        super(TestDatabase.mariadb());
    }
}
