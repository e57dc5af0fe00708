package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.testkit.WakeContract;
import org.junit.jupiter.api.Nested;

final class PostgresWakeTest {

    @Nested
    final class OfLeases extends WakeContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends WakeContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfAdvisoryLocks extends WakeContract {

        OfAdvisoryLocks() {
            super(TestDatabase.postgresql(), LockForm.ADVISORY);
        }
    }
}
