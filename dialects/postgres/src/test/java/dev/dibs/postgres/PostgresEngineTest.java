package dev.dibs.postgres;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.EngineServerContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class PostgresEngineTest {

    @Nested
    final class OfLeases extends EngineServerContract {

        OfLeases() {
            super(TestDatabase.postgresql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends EngineServerContract {

        OfRowLocks() {
            super(TestDatabase.postgresql(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfAdvisoryLocks extends EngineServerContract {

        OfAdvisoryLocks() {
            super(TestDatabase.postgresql(), LockForm.ADVISORY);
        }
    }
}
