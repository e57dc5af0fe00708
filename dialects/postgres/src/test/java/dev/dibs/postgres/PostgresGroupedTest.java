package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.GroupedContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class PostgresGroupedTest {

    @Nested
    final class OfLeases extends GroupedContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }

        @Test
        @Override
        protected void aMessageWithADedupKeyGoesOutByItself() throws Exception {
            super.aMessageWithADedupKeyGoesOutByItself();
        }
    }

    @Nested
    final class OfRowLocks extends GroupedContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }

        @Test
        @Override
        protected void aMessageWithADedupKeyGoesOutByItself() throws Exception {
            super.aMessageWithADedupKeyGoesOutByItself();
        }
    }
}
