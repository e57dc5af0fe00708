package dev.dibs.postgres;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import dev.dibs.time.Micros;
import dev.dibs.time.TimeColumn;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.Record;

/** The keys of a queue's rows, which compare here as they do in the database. */
record ClaimKeys(QueueRef queue) {

    /** Of a queue whose table has none. */
    private static final long ONLY_PRIORITY = 0;

    private static final Map<Class<?>, Object> FIRST_NUMBERS =
            Map.of(Short.class, Short.MIN_VALUE, Integer.class, Integer.MIN_VALUE, Long.class, Long.MIN_VALUE);

    private static final UUID FIRST_UUID = new UUID(0, 0);

    /** Those of a queue, if its columns let claims prove what they have seen. */
    static Optional<ClaimKeys> of(QueueRef queue) {
        var table = queue.table();
        var isProvable = queue.time().isDatabase()
                && !queue.isOrdered()
                && table.has(Part.ATTEMPT)
                && queue.times(Part.DUE_AT).filter(TimeColumn::isExact).isPresent()
                && (isNumber(table.id()) || isUuid(table.id()))
                && isAsStored(table.id())
                && table.find(Part.PRIORITY).stream().allMatch(priority -> isNumber(priority) && isAsStored(priority));
        return isProvable ? Optional.of(new ClaimKeys(queue)) : Optional.empty();
    }

    /** The key of a claimed row; a due time before all times counts as the first one. */
    Key of(Record row) {
        var due = queue.columns().dueAt(row).map(Micros::of);
        var priority = queue.columns().priority(row).map(value -> ((Number) value).longValue());
        return new Key(
                priority.orElse(ONLY_PRIORITY),
                due.orElse(Long.MIN_VALUE),
                queue.columns().id(row));
    }

    /** The id before which there is none. */
    Object firstId() {
        return FIRST_NUMBERS.getOrDefault(queue.table().id().getType(), FIRST_UUID);
    }

    private static boolean isNumber(Field<?> field) {
        return FIRST_NUMBERS.containsKey(field.getType());
    }

    private static boolean isUuid(Field<?> field) {
        return field.getType() == UUID.class;
    }

    // A converter need not keep the order.
    private static boolean isAsStored(Field<?> field) {
        return field.getType() == field.getConverter().fromType();
    }
}
