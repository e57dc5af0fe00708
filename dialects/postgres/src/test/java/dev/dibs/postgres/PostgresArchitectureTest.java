package dev.dibs.postgres;

import dev.dibs.testkit.ArchitectureContract;

final class PostgresArchitectureTest extends ArchitectureContract {

    PostgresArchitectureTest() {
        super(PostgresDialect.class);
    }
}
