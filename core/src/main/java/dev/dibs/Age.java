package dev.dibs;

import dev.dibs.spi.QueueRef;
import dev.dibs.time.Now;
import dev.dibs.time.TimeColumn;
import java.time.Duration;
import org.jooq.Condition;
import org.jooq.Field;

/** How long ago something must have happened, by a queue's clock. */
record Age(Now since) {

    static Age olderThan(Duration age, QueueRef queue) {
        if (age.isNegative()) {
            throw new IllegalArgumentException(
                    "%s: rows older than %s were to be purged; it is at least zero".formatted(queue, age));
        }
        return new Age(queue.time().now().before(age));
    }

    /** True of rows whose time in this column is so long ago. */
    Condition of(Field<?> column) {
        return TimeColumn.of(column).reached(since);
    }
}
