package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.EngineServerContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MariadbEngineTest {

    @Nested
    final class OfLeases extends EngineServerContract {

        OfLeases() {
            super(TestDatabase.mariadb(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends EngineServerContract {

        OfRowLocks() {
            super(TestDatabase.mariadb(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfAdvisoryLocks extends EngineServerContract {

        OfAdvisoryLocks() {
            super(TestDatabase.mariadb(), LockForm.ADVISORY);
        }
    }
}
