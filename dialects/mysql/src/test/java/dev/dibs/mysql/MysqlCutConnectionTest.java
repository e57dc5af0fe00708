package dev.dibs.mysql;

import dev.dibs.testkit.CutConnectionContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlCutConnectionTest extends CutConnectionContract {

    MysqlCutConnectionTest() {
        super(TestDatabase.mysql());
    }
}
