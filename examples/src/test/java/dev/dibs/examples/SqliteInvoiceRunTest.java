package dev.dibs.examples;

import dev.dibs.testkit.TestDatabase;

final class SqliteInvoiceRunTest extends InvoiceRunContract {

    SqliteInvoiceRunTest() {
        super(TestDatabase.sqlite());
    }
}
