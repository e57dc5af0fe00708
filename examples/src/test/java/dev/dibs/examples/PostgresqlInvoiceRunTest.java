package dev.dibs.examples;

import dev.dibs.testkit.TestDatabase;

final class PostgresqlInvoiceRunTest extends InvoiceRunContract {

    PostgresqlInvoiceRunTest() {
        super(TestDatabase.postgresql());
    }
}
