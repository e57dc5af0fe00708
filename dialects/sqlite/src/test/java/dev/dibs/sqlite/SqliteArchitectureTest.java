package dev.dibs.sqlite;

import dev.dibs.testkit.ArchitectureContract;

final class SqliteArchitectureTest extends ArchitectureContract {

    SqliteArchitectureTest() {
        super(SqliteDialect.class);
    }
}
