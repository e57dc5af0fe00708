package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.DedupContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class MysqlDedupTest {

    @Nested
    final class OfLeases extends DedupContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }

        @Test
        @Override
        protected void aDuplicateIsFoundWhateverTheSnapshotOfTheTransaction() {
            super.aDuplicateIsFoundWhateverTheSnapshotOfTheTransaction();
        }
    }

    @Nested
    final class OfRowLocks extends DedupContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }

        @Test
        @Override
        protected void aDuplicateIsFoundWhateverTheSnapshotOfTheTransaction() {
            super.aDuplicateIsFoundWhateverTheSnapshotOfTheTransaction();
        }
    }
}
