package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.SizesContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MysqlSizesTest {

    @Nested
    final class OfLeases extends SizesContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends SizesContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }
    }
}
