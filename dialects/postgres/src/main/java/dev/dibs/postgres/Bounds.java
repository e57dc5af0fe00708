package dev.dibs.postgres;

import static org.jooq.impl.DSL.arrayGet;
import static org.jooq.impl.DSL.cast;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.val;

import dev.dibs.spi.KeptTexts;
import dev.dibs.spi.PriorityRanges;
import dev.dibs.table.Part;
import dev.dibs.time.Now;
import dev.dibs.time.TimeColumn;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Function;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.impl.SQLDataType;

/**
 * Where a claim begins to look: values of one statement, whose text is the same whatever they are.
 *
 * @param from by priority; one that is not here is looked at from its start
 */
record Bounds(ClaimKeys keys, NavigableMap<Long, Key> from) {

    private static final String PRIORITIES = "priorities";
    private static final String DUES = "dues";
    private static final String IDS = "ids";

    /** The priorities in use; those that have a bound are. */
    CommonTableExpression<Record1<Object>> inUse(Field<Object> priority) {
        return PriorityRanges.inUse(keys.queue(), priority, priorities());
    }

    /** True of the rows of a priority that are to be looked at. */
    Condition reached(Field<Object> priority) {
        return reachedAt(
                function("array_position", SQLDataType.INTEGER, priorities(), cast(priority, SQLDataType.BIGINT)));
    }

    /** The same for a table without priorities. */
    Condition reached() {
        return reachedAt(inline(1));
    }

    private Condition reachedAt(Field<Integer> place) {
        return reached(
                arrayGet(array(DUES, SQLDataType.BIGINT, Key::due), place),
                arrayGet(array(IDS, id().getDataType(), Key::id), place));
    }

    // As one row, which the index finds at once; what is missing stands before all keys.
    private Condition reached(Field<Long> due, Field<Object> id) {
        var column = keys.queue().table().column(Part.DUE_AT);
        var time = TimeColumn.of(column);
        Field<?> first = time.isNumber() ? val(Long.MIN_VALUE) : cast(inline("-infinity"), column.getDataType());
        return row(column, id())
                .ge(row(
                        coalesce(time.value(new Now(due, due)), first.coerce(column)),
                        coalesce(id, val(keys.firstId(), id()))));
    }

    // As the widest of whole numbers, whatever the column is.
    private Field<Long[]> priorities() {
        return array(PRIORITIES, SQLDataType.BIGINT, Key::priority);
    }

    private <T> Field<T[]> array(String name, DataType<T> type, Function<Key, Object> part) {
        return KeptTexts.given(name, type.getArrayDataType(), all(part));
    }

    /** What they give to statements that are kept. */
    Map<String, Object> values() {
        return Map.of(PRIORITIES, all(Key::priority), DUES, all(Key::due), IDS, all(Key::id));
    }

    private Object[] all(Function<Key, Object> part) {
        return from.values().stream().map(part).toArray();
    }

    private Field<Object> id() {
        return keys.queue().table().id();
    }
}
