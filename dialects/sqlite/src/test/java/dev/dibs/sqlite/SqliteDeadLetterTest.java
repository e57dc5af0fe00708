package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.DeadLetterContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqliteDeadLetterTest {

    @Nested
    final class OfLeases extends DeadLetterContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }
}
