package dev.dibs.mysql;

import dev.dibs.testkit.KeepingContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlKeepingTest extends KeepingContract {

    MysqlKeepingTest() {
        super(TestDatabase.mysql());
    }
}
