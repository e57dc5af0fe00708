package dev.dibs.examples;

import dev.dibs.testkit.TestDatabase;

final class MysqlInvoiceRunTest extends InvoiceRunContract {

    MysqlInvoiceRunTest() {
        super(TestDatabase.mysql());
    }
}
