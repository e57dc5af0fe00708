package dev.dibs.mysql;

import dev.dibs.testkit.RowLockContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlRowLockTest extends RowLockContract {

    MysqlRowLockTest() {
        super(TestDatabase.mysql());
    }
}
