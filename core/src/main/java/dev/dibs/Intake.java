package dev.dibs;

import dev.dibs.spi.Claimed;

/** Where claimed rows wait for a handler, if they do. The claim loop's thread fills it. */
interface Intake {

    /** Waits until there is room, and answers for how many rows. */
    int awaitRoom() throws InterruptedException;

    /** For how many rows there is room beside those that the loop is about to claim; 0 where handlers are slow and at work. */
    default int roomForALook() {
        return 0;
    }

    /** Takes rows; those that find no handler are given back. */
    void take(Claimed claimed);

    /** Takes no more, and gives back what no handler has seen. */
    void close();
}
