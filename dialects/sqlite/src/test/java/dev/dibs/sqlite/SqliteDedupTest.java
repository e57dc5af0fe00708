package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.DedupContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqliteDedupTest {

    @Nested
    final class OfLeases extends DedupContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }
}
