package dev.dibs;

import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeColumn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The statements that make dead letters messages again, as if they were enqueued now. */
record Replay(QueueRef queue, Graves graves) {

    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);

    /** What a message is given anew, or has not yet. */
    private static final Set<Part> ANEW = Set.of(
            Part.ID,
            Part.QUEUE,
            Part.DUE_AT,
            Part.ATTEMPT,
            Part.LEASED_UNTIL,
            Part.LEASE_TOKEN,
            Part.FINISHED_AT,
            Part.ERROR);

    /** What a dead letter has, and the message that it was had not. */
    private static final Set<Part> OF_DEATH = Set.of(Part.FINISHED_AT, Part.ERROR);

    private static final Replayed NOTHING = new Replayed(0, 0);
    private static final Replayed KEPT = new Replayed(0, 1);

    /** Writes them in a transaction that has locked them. */
    Replayed write(DSLContext own, List<Object> ids) {
        if (!graves.isApart()) {
            return new Replayed(revived(own, ids), 0);
        }
        var letters = letters(own, ids);
        var plain = letters.stream().filter(this::isPlain).map(Letter::id).toList();
        var moved = plain.isEmpty() ? NOTHING : moved(own, plain, together(own, plain));
        return letters.stream()
                .filter(letter -> !isPlain(letter))
                .map(letter -> alone(own, letter))
                .reduce(moved, Replayed::and);
    }

    private int revived(DSLContext own, List<Object> ids) {
        forgetEnds(own, ids);
        var changes = new LinkedHashMap<Field<?>, Object>(anew());
        table().find(Part.ERROR).ifPresent(column -> changes.put(column, castNull(column)));
        table().find(Part.LEASE_TOKEN).ifPresent(column -> changes.put(column, castNull(column)));
        List.of(Part.FINISHED_AT, Part.LEASED_UNTIL)
                .forEach(part -> table().find(part)
                        .ifPresent(column ->
                                changes.put(column, TimeColumn.of(column).none())));
        return own.update(table().table())
                .set(changes)
                .where(table().id().in(ids))
                .execute();
    }

    // The database gives its id, and it has no key that may be in use: one statement copies all of these.
    private boolean isPlain(Letter letter) {
        return table().ids().isEmpty() && isGivenIds() && letter.key() == null;
    }

    private int together(DSLContext own, List<Object> ids) {
        var values = carried();
        values.putAll(anew());
        return own.insertInto(table().table(), List.copyOf(values.keySet()))
                .select(select(List.copyOf(values.values()))
                        .from(dead().table())
                        .where(dead().id().in(ids))
                        .orderBy(dead().id()))
                .execute();
    }

    private Replayed alone(DSLContext own, Letter letter) {
        var row = new LinkedHashMap<Field<?>, Object>();
        carried().forEach((column, copy) -> row.put(column, ofLetter(letter, copy)));
        row.putAll(anew());
        table().find(Part.DEDUP_KEY).ifPresent(row::remove);
        if (letter.key() != null) {
            row.put(table().column(Part.DEDUP_KEY), letter.key());
        }
        table().ids().ifPresent(ids -> row.put(table().id(), ids.get()));
        if (table().ids().isEmpty() && !isGivenIds()) {
            row.put(table().id(), letter.id());
        }
        var written = new Inserts(queue).one(own, row);
        if (written.isNew()) {
            forgetEnds(own, List.of(written.id()));
            return moved(own, List.of(letter.id()), 1);
        }
        LOG.warn(
                "{}: dead letter {} stays, for its dedup key \"{}\" is that of message {}, which is not finished",
                queue,
                letter.id(),
                letter.key(),
                written.id());
        return KEPT;
    }

    // Locked before, and guarded all the same: what another one has taken is rolled back with its copy.
    private Replayed moved(DSLContext own, List<Object> ids, int copied) {
        var deleted = own.deleteFrom(dead().table()).where(dead().id().in(ids)).execute();
        if (copied != ids.size() || deleted != ids.size()) {
            throw new QueueException(
                    "%s: of %d dead letters that were locked, %d were copied and %d deleted, so none was replayed; something beside Dibs works on table %s"
                            .formatted(queue, ids.size(), copied, deleted, dead()));
        }
        return new Replayed(copied, 0);
    }

    private List<Letter> letters(DSLContext own, List<Object> ids) {
        if (!isKeyed()) {
            return ids.stream().map(id -> new Letter(id, null)).toList();
        }
        var key = dead().column(Part.DEDUP_KEY);
        return own.select(dead().id(), key)
                .from(dead().table())
                .where(dead().id().in(ids))
                .orderBy(dead().id())
                .fetch(row -> new Letter(row.value1(), row.value2()));
    }

    // Those who await the message wait for its next end.
    private void forgetEnds(DSLContext own, List<Object> ids) {
        ResultRows.of(queue).ifPresent(rows -> rows.forget(own, ids));
    }

    private Field<?> ofLetter(Letter letter, Field<?> copy) {
        return field(select(copy).from(dead().table()).where(dead().id().eq(letter.id())));
    }

    /** Columns of the queue's own, each with that of the dead letters from which it is taken. */
    private Map<Field<?>, Field<?>> carried() {
        var carried = new LinkedHashMap<Field<?>, Field<?>>();
        CommonColumns.of(table(), dead()).forEach((copy, original) -> carried.put(original, copy));
        carried.values().removeIf(copy -> plays(dead(), copy, OF_DEATH));
        carried.keySet().removeIf(original -> plays(table(), original, ANEW));
        return carried;
    }

    private Map<Field<?>, Field<?>> anew() {
        var anew = new LinkedHashMap<Field<?>, Field<?>>();
        table().find(Part.QUEUE).ifPresent(column -> anew.put(column, val(queue.name(), column)));
        table().find(Part.ATTEMPT).ifPresent(column -> anew.put(column, inline(0, column)));
        table().find(Part.DUE_AT)
                .ifPresent(column -> anew.put(
                        column, TimeColumn.of(column).value(queue.time().now())));
        return anew;
    }

    private static boolean plays(QueueTable<?> table, Field<?> field, Set<Part> parts) {
        return table.columns().stream()
                .filter(column -> parts.contains(column.part()))
                .anyMatch(column -> column.field().getName().equals(field.getName()));
    }

    // A table that is named by hand tells nothing, and most have a default. Where there is none the message gets back
    // the id that it had.
    private boolean isGivenIds() {
        var type = table().id().getDataType();
        return table().table().fields().length == 0
                || table().table().getIdentity() != null
                || type.identity()
                || type.defaulted();
    }

    private boolean isKeyed() {
        return table().has(Part.DEDUP_KEY) && dead().has(Part.DEDUP_KEY);
    }

    private QueueTable<?> table() {
        return queue.table();
    }

    private QueueTable<?> dead() {
        return graves.table();
    }

    /** A dead letter that is copied alone, and its dedup key. */
    private record Letter(Object id, @Nullable Object key) {}
}
