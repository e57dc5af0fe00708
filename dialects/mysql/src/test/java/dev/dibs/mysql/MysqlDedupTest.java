package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.DedupContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MysqlDedupTest {

    @Nested
    final class OfLeases extends DedupContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends DedupContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }
    }
}
