package dev.dibs;

import dev.dibs.table.Part;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message to enqueue, with more than its payload. Immutable.
 *
 * @param <T> the payload's type
 */
public final class Message<T> {

    private final T payload;
    private final Duration delay;
    private final Map<Part, Object> parts;

    private Message(T payload, Duration delay, Map<Part, Object> parts) {
        this.payload = payload;
        this.delay = delay;
        this.parts = parts;
    }

    /** A message that is due at once. */
    public static <T> Message<T> of(T payload) {
        return new Message<>(payload, Duration.ZERO, Map.of());
    }

    /** The same message with a priority; smaller is claimed first. */
    public Message<T> priority(int smallerFirst) {
        return with(Part.PRIORITY, smallerFirst);
    }

    /** The same message, due after a delay by the queue's clock. */
    public Message<T> delayed(Duration afterEnqueue) {
        return new Message<>(payload, afterEnqueue, parts);
    }

    /** The same message, due at an instant; this wins over a delay. */
    public Message<T> dueAt(Instant instant) {
        return with(Part.DUE_AT, instant);
    }

    /**
     * The same message under a key: while a message of that key is in the queue, unfinished, this one is not written, and
     * its receipt is that of the message that is there.
     */
    public Message<T> dedupKey(String key) {
        return with(Part.DEDUP_KEY, key);
    }

    /** The same message with a key: the messages of one key are in work one at a time, in the order of their ids. */
    public Message<T> orderKey(Object key) {
        return with(Part.ORDER_KEY, key);
    }

    /** The same message with these headers and no others. */
    public Message<T> headers(Map<String, String> all) {
        var copy = new LinkedHashMap<String, String>();
        all.forEach((name, value) -> copy.put(
                Objects.requireNonNull(name, "a header has a name"),
                Objects.requireNonNull(value, () -> "the header \"%s\" has a value".formatted(name))));
        return with(Part.HEADERS, Collections.unmodifiableMap(copy));
    }

    /** The same message with one more header, or another value of one that it has. */
    public Message<T> header(String name, String value) {
        var all = new LinkedHashMap<>(headers());
        all.put(name, value);
        return headers(all);
    }

    /** What the handler gets. */
    public T payload() {
        return payload;
    }

    /** Smaller is claimed first; the column's default where empty. */
    public OptionalInt priority() {
        return find(Part.PRIORITY, Integer.class).map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }

    /** How long after the enqueue it becomes due. */
    public Duration delay() {
        return delay;
    }

    /** When it becomes due; wins over the delay. */
    public Optional<Instant> dueAt() {
        return find(Part.DUE_AT, Instant.class);
    }

    /** The key under which it is in the queue once. */
    public Optional<String> dedupKey() {
        return find(Part.DEDUP_KEY, String.class);
    }

    /** The key whose messages are in work one at a time. */
    public Optional<Object> orderKey() {
        return find(Part.ORDER_KEY, Object.class);
    }

    /** Its headers, in the order in which they were given. */
    @SuppressWarnings("unchecked") // written by headers(..) alone
    public Map<String, String> headers() {
        return find(Part.HEADERS, Map.class).orElseGet(Map::of);
    }

    private <V> Optional<V> find(Part part, Class<V> type) {
        return Optional.ofNullable(parts.get(part)).map(type::cast);
    }

    private Message<T> with(Part part, Object value) {
        var next = new EnumMap<Part, Object>(Part.class);
        next.putAll(parts);
        next.put(part, Objects.requireNonNull(value, part::toString));
        return new Message<>(payload, delay, Collections.unmodifiableMap(next));
    }
}
