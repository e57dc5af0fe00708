package dev.dibs.mysql;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.EngineServerContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Nested;

final class MysqlEngineTest {

    @Nested
    final class OfLeases extends EngineServerContract {

        OfLeases() {
            super(TestDatabase.mysql(), LockForm.LEASE);
        }
    }

    @Nested
    final class OfRowLocks extends EngineServerContract {

        OfRowLocks() {
            super(TestDatabase.mysql(), LockForm.ROW_LOCK);
        }
    }

    @Nested
    final class OfAdvisoryLocks extends EngineServerContract {

        OfAdvisoryLocks() {
            super(TestDatabase.mysql(), LockForm.ADVISORY);
        }
    }
}
