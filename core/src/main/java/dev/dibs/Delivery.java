package dev.dibs;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A message in a handler's hands. Immutable, if its payload is.
 *
 * @param <T> the payload's type
 */
public final class Delivery<T> {

    private final T payload;
    private final Map<String, String> headers;
    private final Origin origin;

    Delivery(T payload, Map<String, String> headers, Origin origin) {
        this.payload = payload;
        this.headers = headers;
        this.origin = origin;
    }

    /** What was enqueued. */
    public T payload() {
        return payload;
    }

    /** The row's id. */
    public Object id() {
        return origin.id();
    }

    /** The queue's name. */
    public String queue() {
        return origin.queue();
    }

    /** Which delivery this is, starting at 1; always 1 where no column counts them. */
    public int attempt() {
        return origin.attempt();
    }

    /** When it became due, where a column tells. */
    public Optional<Instant> dueAt() {
        return origin.dueAt();
    }

    /** The message's headers; empty where it has none or no column holds them. */
    public Map<String, String> headers() {
        return headers;
    }

    /**
     * Whether the row is known to be lost: its lease ended and could not be kept, so that somebody else may handle it, and
     * what this handler answers will not be written. A long handler asks now and then, and stops.
     */
    public boolean isLost() {
        return origin.isLost().getAsBoolean();
    }

    /** The message as logs name it, without its payload. */
    @Override
    public String toString() {
        return "message %s of queue \"%s\", delivery %d".formatted(id(), queue(), attempt());
    }

    /** The row that a delivery was read from. */
    record Origin(Object id, String queue, int attempt, Optional<Instant> dueAt, BooleanSupplier isLost) {}
}
