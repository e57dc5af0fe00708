package dev.dibs;

import java.util.List;
import org.jooq.Configuration;

/** Handles one message in the transaction in which it is settled. */
@FunctionalInterface
public interface TransactionalHandler<T> {

    /**
     * Handles a message. Called by several threads at once.
     *
     * <p>If it is done, what was written through {@code tx} and the message's end are committed together; with any other
     * outcome, and if the message was lost meanwhile, nothing of it remains. Transactions begun on {@code tx} are
     * savepoints.
     *
     * @param tx the transaction, for this call and its thread only; enqueue in it with {@code queue.enqueue(tx, ..)}
     * @return what becomes of the message
     * @throws Exception to have it tried again, as the retry policy says
     */
    Outcome handle(Configuration tx, Delivery<T> delivery) throws Exception;

    /** Handles several messages in the one transaction in which they are settled. */
    @FunctionalInterface
    interface OfBatches<T> {

        /**
         * Handles messages, in claim order; at least one. Called by several threads at once.
         *
         * @param tx the transaction, for this call and its thread only
         * @return what becomes of all of them
         * @throws Exception to have all of them tried again, as the retry policy says
         */
        Outcome handle(Configuration tx, List<Delivery<T>> deliveries) throws Exception;
    }
}
