package dev.dibs.sqlite;

import dev.dibs.testkit.AdvisoryContract;
import dev.dibs.testkit.TestDatabase;

final class SqliteAdvisoryTest extends AdvisoryContract {

    SqliteAdvisoryTest() {
        super(TestDatabase.sqlite());
    }
}
