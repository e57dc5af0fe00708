package dev.dibs.postgres;

import dev.dibs.testkit.LeaseContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresLeaseTest extends LeaseContract {

    PostgresLeaseTest() {
        super(TestDatabase.postgresql());
    }
}
