package dev.dibs.mysql;

import dev.dibs.testkit.ArchitectureContract;

final class MysqlArchitectureTest extends ArchitectureContract {

    MysqlArchitectureTest() {
        super(MysqlDialect.class);
    }
}
