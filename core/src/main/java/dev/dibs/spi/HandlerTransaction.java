package dev.dibs.spi;

import dev.dibs.wake.PendingWakes;
import org.jooq.Configuration;
import org.jooq.DSLContext;

/**
 * A transaction that a handler writes in, and in which its rows can be settled.
 *
 * <p>Closing takes back what the handler wrote, unless a settlement has committed it.
 *
 * @param tx for the handler; transactions that it begins are savepoints of this one
 * @param settling writes the rows' end beside what the handler wrote, and commits both
 * @param undo takes back what was not committed
 */
public record HandlerTransaction(Configuration tx, OwnTransaction settling, Runnable undo) implements AutoCloseable {

    private static final String BEGUN = "dibs_begun";

    /**
     * A transaction that is made for this handler.
     *
     * <p>The savepoint is the proof that it is the same one still when it is to be committed: an error of the database
     * can end a transaction, or a statement commit it, without a word, and what follows would be in another.
     */
    static HandlerTransaction begun(OpenTransaction open) {
        try {
            open.dsl().savepoint(BEGUN).execute();
            open.session().awaitAnswers();
        } catch (Throwable failed) {
            open.close();
            throw failed;
        }
        Runnable proof = () -> open.dsl().releaseSavepoint(BEGUN).execute();
        return new HandlerTransaction(within(open.dsl()), new EndingTransaction(open, proof), () -> {
            open.session().limitAnswers();
            open.close();
        });
    }

    /** A handler's view of a transaction, which it cannot end. */
    static Configuration within(DSLContext transaction) {
        var configuration = transaction.configuration().derive(new NestedTransactions());
        PendingWakes.begin(configuration);
        return configuration;
    }

    /** What the handler enqueued is there: wakes who waits for it. */
    public void committed() {
        PendingWakes.of(tx).ifPresent(PendingWakes::committed);
    }

    @Override
    public void close() {
        undo.run();
    }
}
