package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.DedupContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class PostgresDedupTest {

    @Nested
    final class OfLeases extends DedupContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends DedupContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }
    }
}
