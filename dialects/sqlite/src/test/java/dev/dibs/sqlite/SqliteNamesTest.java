package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.NamesContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqliteNamesTest {

    @Nested
    final class OfLeases extends NamesContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }
}
