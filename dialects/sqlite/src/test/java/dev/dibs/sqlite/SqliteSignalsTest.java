package dev.dibs.sqlite;

import dev.dibs.testkit.SignalsContract;
import dev.dibs.testkit.TestDatabase;

final class SqliteSignalsTest extends SignalsContract {

    SqliteSignalsTest() {
        super(TestDatabase.sqlite());
    }
}
