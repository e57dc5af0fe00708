package dev.dibs.mysql;

import dev.dibs.testkit.CutConnectionContract;
import dev.dibs.testkit.TestDatabase;

final class MariadbCutConnectionTest extends CutConnectionContract {

    MariadbCutConnectionTest() {
        super(TestDatabase.mariadb());
    }
}
