package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.NamesContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class PostgresNamesTest {

    @Nested
    final class OfLeases extends NamesContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends NamesContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }
    }
}
