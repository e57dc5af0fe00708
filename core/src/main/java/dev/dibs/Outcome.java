package dev.dibs;

import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** What a handler decides about a message. */
public sealed interface Outcome {

    /**
     * Handled: the message leaves the queue.
     *
     * @param value for those who await the message
     */
    record Done(Optional<String> value) implements Outcome {
        /** Handled, and nothing to tell of it. */
        public Done() {
            this(Optional.empty());
        }
    }

    /** Not now: try again after the delay that the worker's {@link RetryPolicy} gives. */
    record Retry(String reason, Optional<Throwable> cause) implements Outcome {
        /** Refuses a missing reason. */
        public Retry {
            Objects.requireNonNull(reason, "a retry has a reason");
        }

        /** A retry that nothing was thrown for. */
        public Retry(String reason) {
            this(reason, Optional.empty());
        }
    }

    /** Not now: try again after this delay; the attempt limit still counts. */
    record RetryIn(Duration delay) implements Outcome {
        /** Refuses a delay that cannot be stored. */
        public RetryIn {
            Micros.of(delay);
        }
    }

    /** Never: the message goes to the dead letters with this reason. */
    record Reject(String reason) implements Outcome {
        /** Refuses a missing reason. */
        public Reject {
            Objects.requireNonNull(reason, "a rejected message has a reason");
        }
    }

    /** Not mine: back into the queue for any instance, due after this delay; the delivery does not count. */
    record PassOn(Duration delay) implements Outcome {
        /** Refuses a delay that cannot be stored. */
        public PassOn {
            Micros.of(delay);
        }
    }

    /** Not wanted: the message leaves the queue unhandled and is kept nowhere. */
    record Drop() implements Outcome {}

    /** Handled. */
    static Outcome done() {
        return new Done();
    }

    /**
     * Handled, with a value for those who await the message, of at most 64 KiB in UTF-8. One that cannot be kept is a failure
     * of the handler; where no results are kept it is left out.
     */
    static Outcome done(String value) {
        return new Done(Optional.of(value));
    }

    /** Try again when the retry policy says. */
    static Outcome retry(String reason) {
        return new Retry(reason);
    }

    /** Try again when the retry policy says for failures of this type; the same as throwing it. */
    static Outcome retry(Throwable cause) {
        return new Retry(ErrorText.of(cause), Optional.of(cause));
    }

    /** Try again after this delay. */
    static Outcome retryIn(Duration delay) {
        return new RetryIn(delay);
    }

    /**
     * Leave it for other instances, for example one that knows a new type of message during a rolling deploy; any instance
     * may claim it after this delay, and the delivery does not count.
     */
    static Outcome passOn(Duration delay) {
        return new PassOn(delay);
    }

    /** To the dead letters. */
    static Outcome reject(String reason) {
        return new Reject(reason);
    }

    /** Leave the queue unhandled. */
    static Outcome drop() {
        return new Drop();
    }
}
