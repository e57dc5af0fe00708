package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.SizesContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class MysqlSizesTest {

    @Nested
    final class OfLeases extends SizesContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }

        @Test
        @Override
        protected void c06ASessionThatCutsIsRefused() {
            super.c06ASessionThatCutsIsRefused();
        }
    }

    @Nested
    final class OfRowLocks extends SizesContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }

        @Test
        @Override
        protected void c06ASessionThatCutsIsRefused() {
            super.c06ASessionThatCutsIsRefused();
        }
    }
}
