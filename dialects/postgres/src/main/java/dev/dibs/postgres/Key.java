package dev.dibs.postgres;

import java.util.Comparator;
import java.util.UUID;

/**
 * A row's place in the claim order.
 *
 * @param due in microseconds
 * @param id a whole number or a UUID
 */
record Key(long priority, long due, Object id) implements Comparable<Key> {

    private static final Comparator<UUID> AS_BYTES = Comparator.comparing(
                    UUID::getMostSignificantBits, Long::compareUnsigned)
            .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

    @Override
    public int compareTo(Key other) {
        return Comparator.comparingLong(Key::priority)
                .thenComparingLong(Key::due)
                .thenComparing(Key::id, Key::compareIds)
                .compare(this, other);
    }

    private static int compareIds(Object one, Object other) {
        return one instanceof UUID first && other instanceof UUID second
                ? AS_BYTES.compare(first, second)
                : Long.compare(((Number) one).longValue(), ((Number) other).longValue());
    }
}
