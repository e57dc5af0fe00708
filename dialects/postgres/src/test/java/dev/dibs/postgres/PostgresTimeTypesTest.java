package dev.dibs.postgres;

import dev.dibs.testkit.TestDatabase;
import dev.dibs.testkit.TimeTypesContract;

final class PostgresTimeTypesTest extends TimeTypesContract {

    PostgresTimeTypesTest() {
        super(TestDatabase.postgresql());
    }
}
