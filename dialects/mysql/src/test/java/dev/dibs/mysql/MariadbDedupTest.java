package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.DedupContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MariadbDedupTest {

    @Nested
    final class OfLeases extends DedupContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends DedupContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }
}
