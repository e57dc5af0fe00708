package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.DeadLetterContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MysqlDeadLetterTest {

    @Nested
    final class OfLeases extends DeadLetterContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends DeadLetterContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }
    }
}
