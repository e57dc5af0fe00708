package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.BulkContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MysqlBulkTest {

    @Nested
    final class OfLeases extends BulkContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends BulkContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }
    }
}
