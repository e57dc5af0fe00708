package dev.dibs.mysql;

import dev.dibs.testkit.SoakContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlSoakTest extends SoakContract {

    MysqlSoakTest() {
        super(TestDatabase.mysql());
    }
}
