package dev.dibs;

import java.util.Locale;
import java.util.Optional;

/**
 * How a message ended.
 *
 * @param outcome what became of it
 * @param value what its handler gave with {@link Outcome#done(String)}
 */
public record Result(Kind outcome, Optional<String> value) {

    /** What became of a message. */
    public enum Kind {
        /** It was handled. */
        DONE,
        /** Its handler did not want it. */
        DROPPED,
        /** It went to the dead letters, rejected or after its last delivery. */
        REJECTED;

        /** As the table of results has it. */
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
