package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.NamesContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MariadbNamesTest {

    @Nested
    final class OfLeases extends NamesContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends NamesContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }
}
