package dev.dibs.mysql;

import dev.dibs.testkit.KeepingServerContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlKeepingTest extends KeepingServerContract {

    MysqlKeepingTest() {
        super(TestDatabase.mysql());
    }
}
