package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.PurgeContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class MariadbPurgeTest {

    @Nested
    final class OfLeases extends PurgeContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
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
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }

        @Test
        @Override
        protected void aRowThatSomebodyElseHoldsIsPassedOverAndNotWaitedFor() {
            super.aRowThatSomebodyElseHoldsIsPassedOverAndNotWaitedFor();
        }
    }
}
