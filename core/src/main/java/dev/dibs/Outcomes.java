package dev.dibs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a batch handler decides about its messages: one outcome for all, or one for each. */
public sealed interface Outcomes {

    /** The same for all. */
    record All(Outcome outcome) implements Outcomes {

        @Override
        public List<Outcome> of(int messages) {
            return Collections.nCopies(messages, outcome);
        }
    }

    /** One for each message, in the order in which they were given. */
    record Each(List<Outcome> outcomes) implements Outcomes {

        // A list that is too long belongs to other messages; one that is too short ends where the handler stopped.
        @Override
        public List<Outcome> of(int messages) {
            var missing = Outcome.retry(
                    "the handler answered %d outcomes for %d messages".formatted(outcomes.size(), messages));
            if (outcomes.size() > messages) {
                return Collections.nCopies(messages, missing);
            }
            var all = new ArrayList<>(outcomes);
            all.addAll(Collections.nCopies(messages - outcomes.size(), missing));
            return all;
        }
    }

    /** An outcome for each of so many messages; those that were left out are tried again. */
    List<Outcome> of(int messages);

    /** The same outcome for all messages. */
    static Outcomes all(Outcome outcome) {
        return new All(outcome);
    }

    /** One outcome for each message, in the order in which they were given. */
    static Outcomes each(List<Outcome> outcomes) {
        return new Each(outcomes);
    }
}
