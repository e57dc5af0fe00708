package dev.dibs.sqlite;

import dev.dibs.testkit.SoakContract;
import dev.dibs.testkit.TestDatabase;

final class SqliteSoakTest extends SoakContract {

    SqliteSoakTest() {
        super(TestDatabase.sqlite());
    }
}
