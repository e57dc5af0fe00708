package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.GroupedContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqliteGroupedTest {

    @Nested
    final class OfLeases extends GroupedContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }
}
