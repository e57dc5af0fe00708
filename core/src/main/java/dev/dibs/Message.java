package dev.dibs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message to enqueue, with more than its payload. Immutable.
 *
 * @param payload what the handler gets
 * @param priority smaller is claimed first; the column's default where empty
 * @param delay how long after the enqueue it becomes due
 * @param dueAt when it becomes due; wins over the delay
 */
public record Message<T>(T payload, OptionalInt priority, Duration delay, Optional<Instant> dueAt) {

    /** A message that is due at once. */
    public static <T> Message<T> of(T payload) {
        return new Message<>(payload, OptionalInt.empty(), Duration.ZERO, Optional.empty());
    }

    /** The same message with a priority; smaller is claimed first. */
    public Message<T> priority(int smallerFirst) {
        return new Message<>(payload, OptionalInt.of(smallerFirst), delay, dueAt);
    }

    /** The same message, due after a delay by the queue's clock. */
    public Message<T> delayed(Duration afterEnqueue) {
        return new Message<>(payload, priority, afterEnqueue, dueAt);
    }

    /** The same message, due at an instant. */
    public Message<T> dueAt(Instant instant) {
        return new Message<>(payload, priority, delay, Optional.of(instant));
    }
}
