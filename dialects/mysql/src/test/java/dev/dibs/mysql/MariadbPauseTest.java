package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.PauseContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MariadbPauseTest {

    @Nested
    final class OfLeases extends PauseContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends PauseContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfKeys extends PauseContract {

        OfKeys() {
            super(TestDatabase.mariadb(), LockForm.ADVISORY);
        }
    }
}
