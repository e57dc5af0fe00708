package dev.dibs;

/**
 * How a worker is.
 *
 * @param reason why it is so, for people; empty where nothing is to be said
 */
public record WorkerState(Kind kind, String reason) {

    /** What a worker can be. */
    public enum Kind {
        /** It claims and handles. */
        RUNNING,
        /** Its queue is paused, for all instances. */
        PAUSED,
        /** It cannot claim or settle just now, and tries until it can. */
        DEGRADED,
        /** It claims no more, and waits for its handlers. */
        CLOSING,
        /** It has ended. */
        CLOSED
    }
}
