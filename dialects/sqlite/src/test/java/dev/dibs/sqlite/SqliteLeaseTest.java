package dev.dibs.sqlite;

import dev.dibs.testkit.LeaseContract;
import dev.dibs.testkit.TestDatabase;

final class SqliteLeaseTest extends LeaseContract {

    SqliteLeaseTest() {
        super(TestDatabase.sqlite());
    }
}
