package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.ResultContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqliteResultTest {

    @Nested
    final class OfLeases extends ResultContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfKeys extends ResultContract {

        OfKeys() {
            super(TestDatabase.sqlite(), LockForm.ADVISORY);
        }
    }
}
