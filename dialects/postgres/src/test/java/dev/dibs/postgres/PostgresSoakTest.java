package dev.dibs.postgres;

import dev.dibs.testkit.SoakContract;
import dev.dibs.testkit.TestDatabase;

final class PostgresSoakTest extends SoakContract {

    PostgresSoakTest() {
        super(TestDatabase.postgresql());
    }
}
