package dev.dibs.mysql;

import dev.dibs.testkit.LeaseContract;
import dev.dibs.testkit.TestDatabase;

final class MysqlLeaseTest extends LeaseContract {

    MysqlLeaseTest() {
        super(TestDatabase.mysql());
    }
}
