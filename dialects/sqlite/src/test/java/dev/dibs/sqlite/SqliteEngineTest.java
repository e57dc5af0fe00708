package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.EngineContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqliteEngineTest {

    @Nested
    final class OfLeases extends EngineContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfAdvisoryLocks extends EngineContract {

        OfAdvisoryLocks() {
            super(TestDatabase.sqlite(), LockForm.ADVISORY);
        }
    }
}
