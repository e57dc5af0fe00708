package dev.dibs.postgres;

import dev.dibs.testkit.KeepingContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresKeepingTest extends KeepingContract {

    PostgresKeepingTest() {
        super(TestDatabase.postgresql());
    }
}
