package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.BulkContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class PostgresBulkTest {

    @Nested
    final class OfLeases extends BulkContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends BulkContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }
    }
}
