package dev.dibs.sqlite;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.MappingContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class SqliteMappingTest {

    @Nested
    final class OfLeases extends MappingContract {

        OfLeases() {
            super(TestDatabase.sqlite(), LockForm.LEASE);
        }
    }
}
