package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.NamesContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MysqlNamesTest {

    @Nested
    final class OfLeases extends NamesContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends NamesContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }
    }
}
