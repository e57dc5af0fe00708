package dev.dibs.mysql;

import dev.dibs.testkit.SignalsContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlSignalsTest extends SignalsContract {

    MysqlSignalsTest() {
        super(TestDatabase.mysql());
    }
}
