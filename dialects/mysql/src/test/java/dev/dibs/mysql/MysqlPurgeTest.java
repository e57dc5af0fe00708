package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.PurgeContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class MysqlPurgeTest {

    @Nested
    final class OfLeases extends PurgeContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }

        @Test
        @Override
        protected void aRowThatSomebodyElseHoldsIsPassedOverAndNotWaitedFor() {
            super.aRowThatSomebodyElseHoldsIsPassedOverAndNotWaitedFor();
        }
    }

    @Nested
    final class OfRowLocks extends PurgeContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }

        @Test
        @Override
        protected void aRowThatSomebodyElseHoldsIsPassedOverAndNotWaitedFor() {
            super.aRowThatSomebodyElseHoldsIsPassedOverAndNotWaitedFor();
        }
    }
}
