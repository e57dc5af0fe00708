package dev.dibs.spi;

import static org.jooq.impl.DSL.name;

import dev.dibs.table.Part;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;

/**
 * The index in which a queue's rows stand in claim order, so that a claim sorts nothing.
 *
 * <p>A claim compares queue and priority with one value each, so their order does not matter; the due time and the id
 * order the rest. Rows that were finished and are kept must be out of its way.
 */
record ClaimIndex(QueueRef queue, KeptRows kept) {

    /** Whether the rows stand so in the table itself, which the MySQL family and SQLite keep in the order of its key. */
    boolean isTheTable() {
        return kept != KeptRows.LEFT_OUT
                && comparedWithFinished().isEmpty()
                && ordered().isEmpty();
    }

    /** Whether an index of the table is one. */
    boolean isServedBy(TableIndex index) {
        return (index.beginsWith(compared(), ordered()) && isClearOfFinished(index))
                || (kept != KeptRows.LEFT_OUT && index.beginsWith(comparedWithFinished(), ordered()));
    }

    /** The statement that makes it. */
    Query statement(DSLContext dsl) {
        var index = dsl.createIndex(name(queue.from().getName() + "_claim")).on(queue.from(), columns());
        var finished = queue.table().find(Part.FINISHED_AT);
        return kept == KeptRows.SET_APART || finished.isEmpty()
                ? index
                : index.where(finished.get().isNull());
    }

    private List<Field<Object>> columns() {
        var finished = kept == KeptRows.SET_APART ? Stream.of(Part.FINISHED_AT) : Stream.<Part>empty();
        return fields(Stream.of(Stream.of(Part.QUEUE), finished, Stream.of(Part.PRIORITY, Part.DUE_AT, Part.ID))
                .flatMap(parts -> parts));
    }

    private boolean isClearOfFinished(TableIndex index) {
        var finished = queue.table().find(Part.FINISHED_AT);
        return finished.isEmpty()
                || switch (kept) {
                    case LEFT_OUT -> index.isPartialOn(finished.get().getName());
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
        return parts.flatMap(part -> queue.table().find(part).stream()).toList();
    }
}
