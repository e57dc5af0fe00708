package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.MappingContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MariadbMappingTest {

    @Nested
    final class OfLeases extends MappingContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends MappingContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }
}
