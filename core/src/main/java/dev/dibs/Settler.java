package dev.dibs;

import dev.dibs.spi.Claimed;
import java.util.List;

/** Sees to it that what becomes of claimed rows is written. Safe for any thread. */
interface Settler {

    /**
     * Rows are about to be handled; waits while too many others are still to be settled.
     *
     * @return false if they are to be given back instead, for the worker is being closed
     */
    default boolean start(Claimed claimed) {
        return true;
    }

    /**
     * Writes it, now or as soon as it can be.
     *
     * @return false if some could not be written or were lost, so that those rows come back as they were
     */
    boolean settle(Claimed claimed, List<Ending> endings);

    /** Waits until all that it was given is written, or the worker is closed. For one thread at a time. */
    default void awaitWritten() {}

    /** Lets go of rows whose endings are committed. */
    void letGo(Claimed claimed);
}
