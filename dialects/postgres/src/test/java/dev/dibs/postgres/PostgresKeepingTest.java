package dev.dibs.postgres;

import dev.dibs.testkit.KeepingServerContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresKeepingTest extends KeepingServerContract {

    PostgresKeepingTest() {
        super(TestDatabase.postgresql());
    }
}
