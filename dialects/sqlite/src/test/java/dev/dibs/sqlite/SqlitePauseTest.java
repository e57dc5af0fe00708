package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.PauseContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqlitePauseTest {

    @Nested
    final class OfLeases extends PauseContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfKeys extends PauseContract {

        OfKeys() {
            super(TestDatabase.sqlite(), LockForm.ADVISORY);
        }
    }
}
