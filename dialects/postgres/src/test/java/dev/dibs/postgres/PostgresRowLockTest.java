package dev.dibs.postgres;

import dev.dibs.testkit.RowLockContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresRowLockTest extends RowLockContract {

    PostgresRowLockTest() {
        super(TestDatabase.postgresql());
    }
}
