package dev.dibs.postgres;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Up to which key of each priority a claim need not look, because no message that claims have to find lies there.
 *
 * <p>Between vacuums the start of the claim index is full of entries of settled rows, and a claim that begins there walks
 * over all of them. A claim that begins at the highest key K of an earlier one would miss a row that was inserted before
 * that one and committed after it. So K is confirmed first:
 *
 * <ol>
 *   <li>A claim has returned K. Its due time is at most the beginning of that claim's statement.
 *   <li>After that, H is read: the transactions that hold a writer's lock on the table.
 *   <li>When none of H holds it any more, one more claim is made from the old bound, and sees all rows up to K.
 * </ol>
 *
 * <p>A transaction takes the lock before its insert or update reads the clock for a due time, and lets go of it after its
 * rows are visible. So one that writes a key up to K took the lock before H was read, since the clock was past K then. It
 * either had let go of it already or is one of H; in both cases the claim of step 3 sees its rows. Others wrote keys above
 * K. What holds for inserts holds for retries, which write a due time of now or later.
 *
 * <p>A prepared transaction may go on under another name than the one that H knows it by (-1/.., before PostgreSQL 14.1
 * and after a restart), so while there is one nothing is confirmed. The claim of step 3 proves only what it came across:
 * the keys up to its last row in claim order, or all if it got fewer rows than it asked for. That row must be delivered
 * for the first time. One that ran out of its lease may have been retried after the claim's snapshot, and stands in the
 * claim at its old place with its new key; it has an attempt behind it.
 *
 * <p>What does not come by an insert or a retry at the database's own clock is left to full looks: expired leases, claims
 * of others that rolled back, due times that are older than their writing.
 *
 * <p>Safe for any thread: a step or a look that was overtaken by another one changes nothing.
 */
final class ConfirmedBound {

    /** Bounds are sent with each claim; less urgent priorities are claimed from their start. */
    static final int MOST_PRIORITIES = 16;

    /** The names of prepared transactions whose sessions are not known. */
    private static final String PREPARED = "-1/";

    private final int rowsPerStep;
    private final NavigableMap<Long, Key> confirmed = new TreeMap<>();
    private final NavigableMap<Long, Key> highest = new TreeMap<>();
    private int rows;
    private long steps;
    private @Nullable Step step;

    /**
     * No bounds yet.
     *
     * @param rowsPerStep the rows that claims return between two steps
     */
    ConfirmedBound(int rowsPerStep) {
        this.rowsPerStep = rowsPerStep;
    }

    /** The step for which the table's writers are to be read now, if there is one. */
    synchronized Optional<Step> awaited() {
        if (step == null && rows >= rowsPerStep) {
            rows = 0;
            step = new Step(++steps, Map.copyOf(highest), null);
        }
        return Optional.ofNullable(step).filter(current -> !current.isReady());
    }

    /** Who writes the table, read after the step was asked for. */
    synchronized void writing(Step asked, Set<String> writers) {
        if (step != null && step.number() == asked.number()) {
            step = step.after(writers);
        }
    }

    /** Where a claim that begins now is to look. */
    synchronized Look look() {
        return new Look(new TreeMap<>(confirmed), step != null && step.isReady() ? step : null);
    }

    /**
     * A claim has returned rows.
     *
     * @param keys of its rows
     * @param isSeen whether it has come across all rows of a key's priority up to the key
     */
    synchronized void claimed(Look look, List<Key> keys, Predicate<Key> isSeen) {
        rows += keys.size();
        keys.forEach(key -> put(highest, key, ConfirmedBound::later));
        if (step != null && look.isConfirming(step)) {
            step.keys().values().stream().filter(isSeen).forEach(key -> put(confirmed, key, ConfirmedBound::later));
            step = null;
        }
    }

    /** Rows with these keys are ready again. */
    synchronized void lower(List<Key> keys) {
        step = null;
        keys.forEach(key -> confirmed.computeIfPresent(key.priority(), (priority, bound) -> earlier(bound, key)));
    }

    /** Nothing is known any more. */
    synchronized void reset() {
        step = null;
        rows = 0;
        confirmed.clear();
        highest.clear();
    }

    private static void put(NavigableMap<Long, Key> keys, Key key, BinaryOperator<Key> which) {
        keys.merge(key.priority(), key, which);
        if (keys.size() > MOST_PRIORITIES) {
            keys.pollLastEntry();
        }
    }

    private static Key later(Key one, Key other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static Key earlier(Key one, Key other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /**
     * The way of some keys to be bounds.
     *
     * @param number no other step has it
     * @param keys the highest that claims have returned
     * @param writers those of H that still write; null before H was read
     */
    record Step(long number, Map<Long, Key> keys, @Nullable Set<String> writers) {

        boolean isReady() {
            return writers != null && writers.isEmpty();
        }

        Step after(Set<String> writing) {
            var left = new HashSet<>(writing);
            if (writers != null) {
                left.removeIf(writer -> !writers.contains(writer) && !writer.startsWith(PREPARED));
            }
            return new Step(number, keys, left);
        }
    }

    /**
     * What one claim looks at.
     *
     * @param from the key to begin with, of each priority that has a bound
     * @param confirming the step that is taken when it has returned
     */
    record Look(NavigableMap<Long, Key> from, @Nullable Step confirming) {

        boolean isConfirming(Step step) {
            return confirming != null && confirming.number() == step.number();
        }
    }
}
