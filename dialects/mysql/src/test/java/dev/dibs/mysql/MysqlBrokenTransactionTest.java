package dev.dibs.mysql;

import dev.dibs.testkit.TestDatabase;

final class MysqlBrokenTransactionTest extends BrokenTransactionContract {

    MysqlBrokenTransactionTest() {
        super(TestDatabase.mysql());
    }
}
