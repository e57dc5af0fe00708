package dev.dibs.schema;

import dev.dibs.testkit.TestDatabase;

final class MariadbSchemaTest extends MysqlFamilyContract {

    MariadbSchemaTest() {
        super(TestDatabase.mariadb());
    }
}
