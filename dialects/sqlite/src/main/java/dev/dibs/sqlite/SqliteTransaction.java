package dev.dibs.sqlite;

import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.OwnTransaction;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Every write in the process's one write transaction, a single statement too. */
record SqliteTransaction(JdbcTransaction transaction) implements OwnTransaction {

    SqliteTransaction() {
        this(JdbcTransaction.of(new SqliteWriter()));
    }

    @Override
    public <R> R run(DSLContext dsl, Function<DSLContext, R> work) {
        return transaction.run(dsl, work);
    }

    @Override
    public <R> R single(DSLContext dsl, Function<DSLContext, R> statement) {
        return transaction.run(dsl, statement);
    }
}
