package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.ResultContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MariadbResultTest {

    @Nested
    final class OfLeases extends ResultContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends ResultContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfKeys extends ResultContract {

        OfKeys() {
            super(TestDatabase.mariadb(), LockForm.ADVISORY);
        }
    }
}
