package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.SizesContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class PostgresSizesTest {

    @Nested
    final class OfLeases extends SizesContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends SizesContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }
    }
}
