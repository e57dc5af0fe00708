package dev.dibs.mysql;

import dev.dibs.testkit.AdvisoryServerContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlAdvisoryTest extends AdvisoryServerContract {

    MysqlAdvisoryTest() {
        super(TestDatabase.mysql());
    }
}
