package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.MappingContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class MysqlMappingTest {

    @Nested
    final class OfLeases extends MappingContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }

        @Test
        @Override
        protected void idsThatTheDriverDoesNotTellAreRefusedWithTheRemedy() {
            super.idsThatTheDriverDoesNotTellAreRefusedWithTheRemedy();
        }
    }

    @Nested
    final class OfRowLocks extends MappingContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }

        @Test
        @Override
        protected void idsThatTheDriverDoesNotTellAreRefusedWithTheRemedy() {
            super.idsThatTheDriverDoesNotTellAreRefusedWithTheRemedy();
        }
    }
}
