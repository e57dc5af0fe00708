package dev.dibs.postgres;

import dev.dibs.testkit.CutConnectionContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresCutConnectionTest extends CutConnectionContract {

    PostgresCutConnectionTest() {
        super(TestDatabase.postgresql());
    }
}
