package dev.dibs;

import dev.dibs.spi.HandlerTransaction;
import dev.dibs.spi.Hold;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.OwnTransaction;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;

/**
 * A hold that no database knows.
 *
 * @param lost tells which rows are lost
 * @param extension what comes of extending it
 */
record HeldByNothing(Predicate<Record> lost, BooleanSupplier extension) implements Hold {

    HeldByNothing() {
        this(row -> false, () -> true);
    }

    @Override
    public boolean isLost(Record row) {
        return lost.test(row);
    }

    @Override
    public boolean extend(DSLContext pool, List<Record> rows) {
        return extension.getAsBoolean();
    }

    @Override
    public Condition guard(List<Record> rows) {
        return DSL.trueCondition();
    }

    @Override
    public OwnTransaction settling() {
        return JdbcTransaction.ofDriver();
    }

    @Override
    public HandlerTransaction begin(DSLContext pool) {
        throw new UnsupportedOperationException("no handler runs here");
    }

    @Override
    public void close() {}
}
