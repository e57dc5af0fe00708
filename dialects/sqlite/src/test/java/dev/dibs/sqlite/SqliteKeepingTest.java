package dev.dibs.sqlite;

import dev.dibs.testkit.KeepingContract;
import dev.dibs.testkit.TestDatabase;

final class SqliteKeepingTest extends KeepingContract {

    SqliteKeepingTest() {
        super(TestDatabase.sqlite());
    }
}
