package dev.dibs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The messages of rows that were claimed together.
 *
 * @param deliveries those that can be handed out, in claim order
 * @param decided for each row: what becomes of it unhandled, or empty where its delivery is handed out
 */
record Batch<T>(List<Delivery<T>> deliveries, List<Optional<Outcome>> decided) {

    /** What becomes of each row, given the answer for each delivery. */
    List<Outcome> outcomes(List<Outcome> answers) {
        var rest = answers.iterator();
        var outcomes = new ArrayList<Outcome>();
        decided.forEach(unhandled -> outcomes.add(unhandled.orElseGet(rest::next)));
        return outcomes;
    }
}
