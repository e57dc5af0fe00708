package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.SizesContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MariadbSizesTest {

    @Nested
    final class OfLeases extends SizesContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends SizesContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }
}
