package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.MappingContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class PostgresMappingTest {

    @Nested
    final class OfLeases extends MappingContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }

        @Test
        @Override
        protected void aDefaultMayGiveUuidsAsIdsWhereTheDatabaseTellsThem() throws Exception {
            super.aDefaultMayGiveUuidsAsIdsWhereTheDatabaseTellsThem();
        }
    }

    @Nested
    final class OfRowLocks extends MappingContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }

        @Test
        @Override
        protected void aDefaultMayGiveUuidsAsIdsWhereTheDatabaseTellsThem() throws Exception {
            super.aDefaultMayGiveUuidsAsIdsWhereTheDatabaseTellsThem();
        }
    }
}
