package dev.dibs.postgres;

import dev.dibs.testkit.AdvisoryServerContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresAdvisoryTest extends AdvisoryServerContract {

    PostgresAdvisoryTest() {
        super(TestDatabase.postgresql());
    }
}
