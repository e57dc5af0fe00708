package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.testkit.WakeContract;
import org.junit.jupiter.api.Nested;

final class MariadbWakeTest {

    @Nested
    final class OfLeases extends WakeContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends WakeContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfAdvisoryLocks extends WakeContract {

        OfAdvisoryLocks() {
            super(TestDatabase.mariadb(), LockForm.ADVISORY);
        }
    }
}
