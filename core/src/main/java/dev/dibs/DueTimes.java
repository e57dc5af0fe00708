package dev.dibs;

import dev.dibs.time.Now;
import dev.dibs.time.TimeColumn;
import java.util.HashMap;
import java.util.Map;
import org.jooq.Field;

/**
 * When messages that are enqueued together become due, by one reading of the clock. For one thread.
 *
 * <p>Equal times are one and the same expression, so that a statement can say it once for all rows.
 */
final class DueTimes {

    private final TimeColumn column;
    private final Now now;
    private final Map<Object, Field<Object>> values = new HashMap<>();

    DueTimes(Field<?> column, Now now) {
        this.column = TimeColumn.of(column);
        this.now = now;
    }

    /** The value to write for a message. */
    Field<Object> of(Message<?> message) {
        return message.dueAt()
                .map(instant -> values.computeIfAbsent(instant, given -> column.value(instant)))
                .orElseGet(() -> values.computeIfAbsent(message.delay(), given -> column.value(now, message.delay())));
    }
}
