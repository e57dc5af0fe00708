package dev.dibs;

import java.time.Duration;

/**
 * What happens in a worker, for metrics, logs and tests.
 *
 * <p>Called by the worker's threads: be quick. What a listener throws is logged and harms nothing.
 */
public interface QueueEvents {

    /** A claim took that many rows, perhaps none. */
    default void claimed(String queue, int rows) {}

    /** A claim failed; the worker tries again. */
    default void claimFailed(String queue, Throwable failure) {}

    /**
     * A look from the start of the index took so long that looks cost more than a twentieth of the time: long transactions
     * keep the database from cleaning up. Rows whose lease ran out are found a quarter of a lease later at most.
     */
    default void fullLookIsSlow(String queue, Duration took) {}

    /** The message was handled and has left its queue; called after the commit. */
    default void done(String queue, Object id, Duration handling) {}

    /** The message will be delivered again after the delay; called after the commit. */
    default void retried(String queue, Object id, int attempt, Duration delay, String error) {}

    /** The handler left the message for other instances; called after the commit. */
    default void passedOn(String queue, Object id, Duration delay) {}

    /** The message has gone to the dead letters; called after the commit. */
    default void deadLettered(String queue, Object id, int attempt, String error) {}

    /** The lease ended before the outcome was written, so nothing was: the message is somebody else's. */
    default void lost(String queue, Object id) {}

    /**
     * The outcome was sent and the database never answered, nor can it be found out any more: the message is settled, or
     * it comes back when its hold ends.
     */
    default void unknown(String queue, Object id) {}

    /** The outcome could not be written; the message comes back when its hold ends. */
    default void settlementFailed(String queue, Object id, Throwable failure) {}
}
