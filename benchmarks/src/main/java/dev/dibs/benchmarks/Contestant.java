package dev.dibs.benchmarks;

import java.util.function.IntConsumer;

/** A queue that is measured beside others, in a database of its own. Safe for any thread. */
interface Contestant extends AutoCloseable {

    /** Enqueues so many messages at once, in its best documented way, and commits. */
    void enqueue(int messages) throws Exception;

    /**
     * Handles messages until the answer is closed, which waits for those in work.
     *
     * @param handled is told how many messages were handled, from any thread; they need not be settled yet
     */
    AutoCloseable start(IntConsumer handled) throws Exception;

    /** How many messages are not settled, as the table has it. */
    long left() throws Exception;

    @Override
    void close() throws Exception;
}
