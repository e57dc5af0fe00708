package dev.dibs.spi;

import static org.jooq.impl.DSL.field;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/**
 * A range of the claim index, which is read from its start.
 *
 * @param kind ranges of one kind have conditions of one text
 * @param values what they give to statements that are kept
 * @param within makes the condition
 */
public record Range(Kind kind, Map<String, Object> values, Supplier<Condition> within) {

    private static final String PRIORITY = "priority";

    /** All rows, where no column is a priority. */
    static Range ofAll() {
        return new Range(Kind.ALL, Map.of(), DSL::noCondition);
    }

    /** The rows of one priority. */
    static Range of(Field<Object> priority, Object value) {
        return new Range(Kind.ONE, Map.of(PRIORITY, value), () -> priority.eq(given(priority, value)));
    }

    /** The rows of one priority; none if rows of a more urgent one are in the queue. */
    static Range ofMostUrgent(QueueRef queue, Field<Object> priority, Object value) {
        return new Range(Kind.MOST_URGENT, Map.of(PRIORITY, value), () -> {
            var given = given(priority, value);
            var more = PriorityRanges.least(queue, priority, priority.lt(given));
            return priority.eq(given).and(field(more).isNull());
        });
    }

    private static Field<Object> given(Field<Object> priority, Object value) {
        return KeptTexts.given(PRIORITY, priority.getDataType(), value);
    }

    /** True of its rows. */
    public Condition condition() {
        return within.get();
    }

    /** The values with others. */
    Map<String, Object> with(Map<String, Object> others) {
        var all = new HashMap<>(others);
        all.putAll(values);
        return all;
    }

    /** What ranges there are. */
    public enum Kind {
        /** All rows. */
        ALL,
        /** Rows of one priority. */
        ONE,
        /** Rows of the most urgent priority. */
        MOST_URGENT
    }
}
