package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.testkit.WakeContract;
import org.junit.jupiter.api.Nested;

final class MysqlWakeTest {

    @Nested
    final class OfLeases extends WakeContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends WakeContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfAdvisoryLocks extends WakeContract {

        OfAdvisoryLocks() {
            super(TestDatabase.mysql(), LockForm.ADVISORY);
        }
    }
}
