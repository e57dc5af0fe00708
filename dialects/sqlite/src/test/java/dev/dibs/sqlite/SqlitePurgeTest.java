package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.PurgeContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqlitePurgeTest {

    @Nested
    final class OfLeases extends PurgeContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }
}
