package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.PauseContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class PostgresPauseTest {

    @Nested
    final class OfLeases extends PauseContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends PauseContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfKeys extends PauseContract {

        OfKeys() {
            super(TestDatabase.postgresql(), LockForm.ADVISORY);
        }
    }
}
