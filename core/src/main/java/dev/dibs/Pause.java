package dev.dibs;

import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.when;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.PauseTable;
import dev.dibs.table.QueueException;
import dev.dibs.time.TimeColumn;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;

/** Whether a queue is paused, as the database keeps it for all instances. */
record Pause(QueueRef queue, PauseTable place) {

    private static final int PAUSED = 1;
    private static final int RUNNING = 0;

    /** The pause of a queue whose table says where that is kept. */
    static Pause of(QueueRef queue) {
        return new Pause(
                queue,
                queue.table()
                        .pauses()
                        .orElseThrow(() -> new QueueException(
                                "%s: it cannot be paused, for nothing says where that is kept; map a table for it with pausedIn(..), as the managed tables do"
                                        .formatted(queue))));
    }

    boolean isOn(DSLContext dsl) {
        return dsl.fetchExists(place.table(), isMine().and(isPaused()));
    }

    /** Claims that begin after this is committed take nothing. */
    boolean begin(DSLContext dsl) {
        var values = changes(PAUSED);
        var changes = new LinkedHashMap<Field<?>, Object>();
        place.sinceWhen() // before the flag, for MySQL assigns one column after the other
                .map(Pause::untyped)
                .ifPresent(since -> changes.put(since, when(isPaused(), since).otherwise(now(since))));
        values.forEach(changes::putIfAbsent);
        values.put(place.name(), queue.name());
        return dsl.insertInto(place.table())
                        .set(values)
                        .onConflict(place.name())
                        .doUpdate()
                        .set(changes)
                        .execute()
                > 0;
    }

    boolean end(DSLContext dsl) {
        return dsl.update(place.table()).set(changes(RUNNING)).where(isMine()).execute() > 0;
    }

    private Map<Field<?>, Object> changes(int paused) {
        var changes = new LinkedHashMap<Field<?>, Object>();
        place.sinceWhen()
                .map(Pause::untyped)
                .ifPresent(since -> changes.put(since, paused == PAUSED ? now(since) : castNull(since)));
        place.lastChange().map(Pause::untyped).ifPresent(change -> changes.put(change, now(change)));
        changes.put(place.paused(), paused);
        return changes;
    }

    private Condition isMine() {
        return place.name().eq(queue.name());
    }

    private Condition isPaused() {
        return place.paused().ne(inline(RUNNING));
    }

    private Field<Object> now(Field<?> column) {
        return TimeColumn.of(column).value(queue.time().now());
    }

    @SuppressWarnings("unchecked") // written and compared through its own data type
    private static Field<Object> untyped(Field<?> field) {
        return (Field<Object>) field;
    }
}
