package dev.dibs.spi;

import static org.jooq.impl.DSL.name;

import dev.dibs.table.Part;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Table;

/**
 * The index in which a queue's rows stand in claim order, so that a claim sorts nothing.
 *
 * <p>A claim compares queue and priority with one value each, so their order does not matter; the due time and the id
 * order the rest. Rows that were finished and are kept must be out of its way.
 *
 * @param table the jOOQ table with the queue
 * @param columns tells the column that plays a part, if one does
 * @param kept how an index keeps finished rows out of the way on this database
 */
public record ClaimIndex(Table<?> table, Function<Part, Optional<Field<Object>>> columns, KeptRows kept) {

    /** Whether the rows stand so in the table itself, which the MySQL family and SQLite keep in the order of its key. */
    public boolean isTheTable() {
        return kept != KeptRows.LEFT_OUT
                && comparedWithFinished().isEmpty()
                && ordered().isEmpty();
    }

    /**
     * Whether an index of the table is one.
     *
     * @param index the names of its columns in order, with an empty one where it descends or has an expression
     * @param isPartialOn whether the rows that it has depend on the column of this name
     */
    public boolean isServedBy(List<String> index, Predicate<String> isPartialOn) {
        return (begins(index, compared()) && isClearOfFinished(isPartialOn))
                || (kept != KeptRows.LEFT_OUT && begins(index, comparedWithFinished()));
    }

    /** The statement that makes it. */
    public Query statement(DSLContext dsl) {
        var index = dsl.createIndex(name(table.getName() + "_claim")).on(table, indexed());
        var finished = columns.apply(Part.FINISHED_AT);
        return kept == KeptRows.SET_APART || finished.isEmpty()
                ? index
                : index.where(finished.get().isNull());
    }

    private List<Field<Object>> indexed() {
        var finished = kept == KeptRows.SET_APART ? Stream.of(Part.FINISHED_AT) : Stream.<Part>empty();
        return fields(Stream.of(Stream.of(Part.QUEUE), finished, Stream.of(Part.PRIORITY, Part.DUE_AT, Part.ID))
                .flatMap(parts -> parts));
    }

    // It begins with the compared columns, in any order, and goes on with the ordered ones.
    private boolean begins(List<String> index, List<String> compared) {
        var ordered = ordered();
        var needed = compared.size() + ordered.size();
        return index.size() >= needed
                && folded(index.subList(0, compared.size())).equals(folded(compared))
                && isEqual(index.subList(compared.size(), needed), ordered);
    }

    private boolean isClearOfFinished(Predicate<String> isPartialOn) {
        var finished = columns.apply(Part.FINISHED_AT);
        return finished.isEmpty()
                || switch (kept) {
                    case LEFT_OUT -> isPartialOn.test(finished.get().getName());
                    case SET_APART -> false;
                    case EITHER -> true;
                };
    }

    private List<String> compared() {
        return names(Stream.of(Part.QUEUE, Part.PRIORITY));
    }

    private List<String> comparedWithFinished() {
        return names(Stream.of(Part.QUEUE, Part.PRIORITY, Part.FINISHED_AT));
    }

    // The MySQL family and SQLite end each index with the row's key by themselves.
    private List<String> ordered() {
        return names(kept == KeptRows.LEFT_OUT ? Stream.of(Part.DUE_AT, Part.ID) : Stream.of(Part.DUE_AT));
    }

    private List<String> names(Stream<Part> parts) {
        return fields(parts).stream().map(Field::getName).toList();
    }

    private List<Field<Object>> fields(Stream<Part> parts) {
        return parts.flatMap(part -> columns.apply(part).stream()).toList();
    }

    private static TreeSet<String> folded(List<String> names) {
        var folded = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        folded.addAll(names);
        return folded;
    }

    private static boolean isEqual(List<String> these, List<String> those) {
        return String.join("\n", these).equalsIgnoreCase(String.join("\n", those));
    }
}
