package dev.dibs.postgres;

import dev.dibs.testkit.SignalsContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresSignalsTest extends SignalsContract {

    PostgresSignalsTest() {
        super(TestDatabase.postgresql());
    }
}
