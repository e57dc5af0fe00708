package dev.dibs.mysql;

import dev.dibs.testkit.TestDatabase;
import dev.dibs.testkit.TimeTypesContract;

final class MysqlTimeTypesTest extends TimeTypesContract {

    MysqlTimeTypesTest() {
        super(TestDatabase.mysql());
    }
}
