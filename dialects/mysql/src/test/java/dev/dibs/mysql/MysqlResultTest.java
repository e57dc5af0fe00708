package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.ResultContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MysqlResultTest {

    @Nested
    final class OfLeases extends ResultContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends ResultContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfKeys extends ResultContract {

        OfKeys() {
            super(TestDatabase.mysql(), LockForm.ADVISORY);
        }
    }
}
