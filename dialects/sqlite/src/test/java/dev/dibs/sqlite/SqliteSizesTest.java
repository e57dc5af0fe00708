package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.SizesContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqliteSizesTest {

    @Nested
    final class OfLeases extends SizesContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }
}
