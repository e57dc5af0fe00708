package dev.dibs.spi;

import dev.dibs.wake.WakeRegistry.Sleepers;
import org.jooq.DSLContext;

/** How processes hear of each other's messages. Safe for any thread. */
@FunctionalInterface
public interface Wakeups {

    /** Wakes the sleepers when somebody may have written messages for them, until it is closed; for one worker. */
    Listening listen(DSLContext dsl, QueueRef queue, Sleepers sleepers);

    /**
     * Has other processes hear that messages of a queue were inserted and committed, unless the table itself tells them. It
     * waits for nobody and throws nothing: a hint that is lost costs time, never a message.
     */
    default void inserted(DSLContext dsl, QueueRef queue) {}

    /** Has other processes hear that messages may be ready which were there before; else the same. */
    default void ready(DSLContext dsl, QueueRef queue) {}

    /** Wakes the sleepers when somebody in another process may have signalled what they wait for, until it is closed. */
    default Listening listen(DSLContext dsl, SignalKey key, Sleepers sleepers) {
        return () -> {};
    }

    /** Has those in other processes hear who wait for it; else as {@link #inserted}. */
    default void signalled(DSLContext dsl, SignalKey key) {}

    /** How many connections of the pool it keeps for itself while there are workers. */
    default int connectionsKept(DSLContext dsl) {
        return 0;
    }

    /** They do not; what others write is found by polling. */
    static Wakeups none() {
        return (dsl, queue, sleepers) -> () -> {};
    }
}
