package dev.dibs.mysql;

import dev.dibs.testkit.TestDatabase;

final class MariadbBrokenTransactionTest extends BrokenTransactionContract {

    MariadbBrokenTransactionTest() {
        super(TestDatabase.mariadb());
    }
}
