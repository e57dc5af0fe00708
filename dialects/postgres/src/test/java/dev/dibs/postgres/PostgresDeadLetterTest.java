package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.DeadLetterContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class PostgresDeadLetterTest {

    @Nested
    final class OfLeases extends DeadLetterContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends DeadLetterContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }
    }
}
