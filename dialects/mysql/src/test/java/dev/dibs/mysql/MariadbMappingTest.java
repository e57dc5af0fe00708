package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.MappingContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class MariadbMappingTest {

    @Nested
    final class OfLeases extends MappingContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
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
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }

        @Test
        @Override
        protected void aDefaultMayGiveUuidsAsIdsWhereTheDatabaseTellsThem() throws Exception {
            super.aDefaultMayGiveUuidsAsIdsWhereTheDatabaseTellsThem();
        }
    }
}
