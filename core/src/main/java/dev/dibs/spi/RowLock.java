package dev.dibs.spi;

import static org.jooq.impl.DSL.noCondition;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;

/** Rows that are locked by an open transaction, which their settlement ends. */
final class RowLock implements Hold, OwnTransaction {

    private static final String CLAIMED = "dibs_claimed";
    private static final String HANDLING = "dibs_handling";

    private final OpenTransaction open;
    private final Runnable afterwards;
    private boolean marked;
    private boolean closed;

    private RowLock(OpenTransaction open, Runnable afterwards) {
        this.open = open;
        this.afterwards = afterwards;
    }

    /**
     * Rows that this transaction has locked.
     *
     * @param afterwards lets go of what the session holds beside the rows, when the transaction has ended
     */
    static RowLock on(OpenTransaction open, Runnable afterwards) {
        return new RowLock(open, afterwards);
    }

    @Override
    public Condition guard(List<Record> rows) {
        return noCondition();
    }

    @Override
    public Optional<Map<String, Object>> given() {
        return Optional.of(Map.of());
    }

    @Override
    public OwnTransaction settling() {
        return this;
    }

    @Override
    public <R> R run(DSLContext pool, Function<DSLContext, R> work) {
        open.session().limitAnswers();
        backToTheClaim();
        return committed(work);
    }

    // A statement that is refused is not followed by another one: no savepoint, which would be a round trip.
    @Override
    public <R> R single(DSLContext pool, Function<DSLContext, R> statement) {
        if (marked) {
            return run(pool, statement);
        }
        open.session().limitAnswers();
        return committed(statement);
    }

    private <R> R committed(Function<DSLContext, R> work) {
        var result = work.apply(open.dsl());
        open.commit();
        return result;
    }

    @Override
    public HandlerTransaction begin(DSLContext pool) {
        mark();
        open.dsl().savepoint(HANDLING).execute();
        open.session().awaitAnswers();
        return new HandlerTransaction(
                HandlerTransaction.within(open.dsl()), new EndingTransaction(open, this::keepWhatWasWritten), () -> {});
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try (open) {
                endTransaction();
            }
        }
    }

    private void endTransaction() {
        try {
            open.rollback();
        } finally {
            afterwards.run();
        }
    }

    // The savepoint is the proof that the transaction is the same one still: on MySQL a deadlock or DDL inside the
    // handler
    // ends it, and the row locks with it, without a word. Going back to it keeps the locks, and lets a settlement be
    // written
    // again after one that the database refused.
    private void mark() {
        open.dsl().savepoint(CLAIMED).execute();
        marked = true;
    }

    private void backToTheClaim() {
        if (marked) {
            proven(open.dsl().rollback().toSavepoint(CLAIMED));
        } else {
            mark();
        }
    }

    // An error that the handler has swallowed may have left a transaction that can only go back: not lost, but failed.
    private void keepWhatWasWritten() {
        try {
            open.dsl().releaseSavepoint(HANDLING).execute();
        } catch (DataAccessException refused) {
            backToTheClaim();
            throw refused;
        }
    }

    private static void proven(Query toSavepoint) {
        try {
            toSavepoint.execute();
        } catch (DataAccessException gone) {
            throw new LostException("the claim's transaction had ended before its rows were settled", gone);
        }
    }
}
