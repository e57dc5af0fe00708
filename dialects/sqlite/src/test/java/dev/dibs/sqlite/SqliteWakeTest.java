package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.testkit.WakeContract;
import org.junit.jupiter.api.Nested;

final class SqliteWakeTest {

    @Nested
    final class OfLeases extends WakeContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfAdvisoryLocks extends WakeContract {

        OfAdvisoryLocks() {
            super(TestDatabase.sqlite(), LockForm.ADVISORY);
        }
    }
}
