package dev.dibs.spi;

import java.util.function.Function;
import org.jooq.DSLContext;

/**
 * Settles in a transaction that is open already, and commits it.
 *
 * @param open the transaction
 * @param proof throws {@link LostException} if the transaction has ended underneath, and its locks with it
 */
record EndingTransaction(OpenTransaction open, Runnable proof) implements OwnTransaction {

    @Override
    public <R> R run(DSLContext dsl, Function<DSLContext, R> work) {
        open.session().limitAnswers();
        proof.run();
        var result = work.apply(open.dsl());
        open.commit();
        return result;
    }

    @Override
    public <R> R single(DSLContext dsl, Function<DSLContext, R> statement) {
        return run(dsl, statement);
    }
}
