package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.ResultContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class PostgresResultTest {

    @Nested
    final class OfLeases extends ResultContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends ResultContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfKeys extends ResultContract {

        OfKeys() {
            super(TestDatabase.postgresql(), LockForm.ADVISORY);
        }
    }
}
