package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.BulkContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MariadbBulkTest {

    @Nested
    final class OfLeases extends BulkContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends BulkContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }
}
