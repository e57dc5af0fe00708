package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.PauseContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MysqlPauseTest {

    @Nested
    final class OfLeases extends PauseContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends PauseContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfKeys extends PauseContract {

        OfKeys() {
            super(TestDatabase.mysql(), LockForm.ADVISORY);
        }
    }
}
