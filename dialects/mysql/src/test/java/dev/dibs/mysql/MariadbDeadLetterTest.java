package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.DeadLetterContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MariadbDeadLetterTest {

    @Nested
    final class OfLeases extends DeadLetterContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends DeadLetterContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }
}
