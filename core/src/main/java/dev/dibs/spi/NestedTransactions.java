package dev.dibs.spi;

import static org.jooq.impl.DSL.name;

import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.Name;
import org.jooq.Transaction;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;

/** Transactions within one that somebody else ends: each is a savepoint of it. */
final class NestedTransactions implements TransactionProvider {

    private final AtomicInteger number = new AtomicInteger();

    @Override
    public void begin(TransactionContext context) {
        var savepoint = new Savepoint(name("dibs_nested_" + number.incrementAndGet()));
        context.dsl().savepoint(savepoint.name()).execute();
        context.transaction(savepoint);
    }

    @Override
    public void commit(TransactionContext context) {
        context.dsl().releaseSavepoint(of(context)).execute();
    }

    @Override
    public void rollback(TransactionContext context) {
        context.dsl().rollback().toSavepoint(of(context)).execute();
    }

    private static Name of(TransactionContext context) {
        return ((Savepoint) context.transaction()).name();
    }

    private record Savepoint(Name name) implements Transaction {}
}
