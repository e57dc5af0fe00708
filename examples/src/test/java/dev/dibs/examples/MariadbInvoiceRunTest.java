package dev.dibs.examples;

import dev.dibs.testkit.TestDatabase;

final class MariadbInvoiceRunTest extends InvoiceRunContract {

    MariadbInvoiceRunTest() {
        super(TestDatabase.mariadb());
    }
}
