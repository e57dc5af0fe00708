package dev.dibs;

import dev.dibs.spi.HandlerTransaction;
import dev.dibs.spi.Hold;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.OwnTransaction;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;

/** A hold that no database knows. */
record HeldByNothing() implements Hold {

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
