package dev.dibs.spi;

import static org.jooq.impl.DSL.noCondition;

import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/** Rows that are locked by an open transaction, which their settlement ends. */
final class RowLock implements Hold, OwnTransaction {

    private static final String CLAIMED = "dibs_claimed";

    private final OpenTransaction open;
    private boolean closed;

    private RowLock(OpenTransaction open) {
        this.open = open;
    }

    /**
     * Rows that this transaction has locked.
     *
     * <p>The savepoint is the proof that it still does: on MySQL a deadlock or DDL inside the handler ends the
     * transaction, and the row locks with it, without a word. Going back to it keeps the locks, and lets a settlement be
     * written again after one that the database refused.
     */
    static RowLock on(OpenTransaction open) {
        open.dsl().savepoint(CLAIMED).execute();
        return new RowLock(open);
    }

    @Override
    public Condition guard() {
        return noCondition();
    }

    @Override
    public OwnTransaction settling() {
        return this;
    }

    @Override
    public <R> R run(DSLContext dsl, Function<DSLContext, R> work) {
        requireLocked();
        var result = work.apply(open.dsl());
        open.commit();
        return result;
    }

    @Override
    public <R> R single(DSLContext dsl, Function<DSLContext, R> statement) {
        return run(dsl, statement);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            open.close();
        }
    }

    private void requireLocked() {
        try {
            open.dsl().rollback().toSavepoint(CLAIMED).execute();
        } catch (DataAccessException gone) {
            throw new LostException("the claim's transaction had ended before its rows were settled", gone);
        }
    }
}
