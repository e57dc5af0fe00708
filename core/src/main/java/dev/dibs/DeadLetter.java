package dev.dibs;

import dev.dibs.spi.Read;
import dev.dibs.table.QueueException;
import java.time.Instant;
import java.util.Optional;

/**
 * A message that is not tried again, as it lies in its queue's dead letters. Immutable, if its payload is.
 *
 * @param <T> the payload's type
 */
public final class DeadLetter<T> {

    private final Object id;
    private final Read<T> payload;
    private final Death death;

    DeadLetter(Object id, Read<T> payload, Death death) {
        this.id = id;
        this.payload = payload;
        this.death = death;
    }

    /** The row's id: the one that the message had. */
    public Object id() {
        return id;
    }

    /**
     * What was enqueued.
     *
     * @throws QueueException if it cannot be read
     */
    public T payload() {
        if (payload.value() == null) {
            throw new QueueException(
                    "the payload of dead letter %s cannot be read; whyUnreadable() tells why".formatted(id),
                    payload.failure());
        }
        return payload.value();
    }

    /** Why the payload cannot be read; empty where it can. */
    public Optional<Throwable> whyUnreadable() {
        return payload.value() == null
                ? Optional.of(Optional.ofNullable(payload.failure())
                        .orElseGet(() -> new QueueException("the payload of dead letter %s is null".formatted(id))))
                : Optional.empty();
    }

    /** The text of the last failure, where a column tells. */
    public Optional<String> error() {
        return death.error();
    }

    /** How often it was delivered; 1 where no column counts. */
    public int attempt() {
        return death.attempt();
    }

    /** When it died, where a column tells. */
    public Optional<Instant> diedAt() {
        return death.at();
    }

    /** The message as logs name it, without its payload. */
    @Override
    public String toString() {
        return "dead letter %s after %d deliveries".formatted(id, attempt());
    }

    /** How a message ended. */
    record Death(Optional<String> error, int attempt, Optional<Instant> at) {}
}
