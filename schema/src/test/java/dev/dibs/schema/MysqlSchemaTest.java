package dev.dibs.schema;

import dev.dibs.testkit.TestDatabase;

final class MysqlSchemaTest extends MysqlFamilyContract {

    MysqlSchemaTest() {
        super(TestDatabase.mysql());
    }
}
