package dev.dibs;

import dev.dibs.Outcome.Done;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the values that handlers give for those who await their messages. Safe for any thread. */
final class GivenValues {

    /** So much that a value is an answer, and not a document, which has a place of its own. */
    static final int MOST_BYTES = 65_536;

    private static final Logger LOG = LoggerFactory.getLogger(GivenValues.class);

    private final QueueRef queue;
    private final AtomicBoolean warned = new AtomicBoolean();

    GivenValues(QueueRef queue) {
        this.queue = queue;
    }

    /** The outcome, if its value can be kept; a retry that says why, if it cannot; without the value, if none is kept. */
    Outcome checked(Outcome outcome) {
        return outcome instanceof Done done && done.value().isPresent()
                ? checked(done, done.value().get())
                : outcome;
    }

    private Outcome checked(Done done, String value) {
        var place = queue.table().results();
        if (place.isEmpty()) {
            warn();
            return Outcome.done();
        }
        var longest = place.get().value().getDataType().length();
        return refusal(value, longest)
                .<Outcome>map(why -> Outcome.retry(new QueueException("%s: %s".formatted(queue, why))))
                .orElse(done);
    }

    private static Optional<String> refusal(String value, int longest) {
        if (value.indexOf('\0') >= 0) {
            return Optional.of("the result's value holds NUL, which not every database stores; leave it out");
        }
        var bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES) {
            return Optional.of(
                    "the result's value has %,d bytes, and at most %,d are kept; give where it is found instead"
                            .formatted(bytes, MOST_BYTES));
        }
        var characters = value.codePointCount(0, value.length());
        return longest > 0 && characters > longest
                ? Optional.of("the result's value has %,d characters, and its column holds %,d; widen it, or give less"
                        .formatted(characters, longest))
                : Optional.empty();
    }

    private void warn() {
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "{}: its handler gives values for those who await its messages, and they are left out, for nothing says where results are kept; map a table for them with resultsIn(..), or answer done() without a value",
                    queue);
        }
    }
}
