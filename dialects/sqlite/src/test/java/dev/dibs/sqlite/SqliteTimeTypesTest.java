package dev.dibs.sqlite;

import dev.dibs.testkit.TestDatabase;
import dev.dibs.testkit.TimeTypesContract;

final class SqliteTimeTypesTest extends TimeTypesContract {

    SqliteTimeTypesTest() {
        super(TestDatabase.sqlite());
    }
}
