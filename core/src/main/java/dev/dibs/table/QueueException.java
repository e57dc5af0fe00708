package dev.dibs.table;

import org.jspecify.annotations.Nullable;

/**
 * A queue cannot do what it was asked.
 *
 * <p>The message names the queue, its table, what was seen and what to do about it.
 */
public final class QueueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** A refusal that stands on its own. */
    public QueueException(String message) {
        super(message);
    }

    /** A refusal that something else caused. */
    public QueueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
