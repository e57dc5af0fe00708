package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.BulkContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqliteBulkTest {

    @Nested
    final class OfLeases extends BulkContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }
}
