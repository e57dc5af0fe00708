package dev.dibs.spi;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jooq.Record;

/**
 * Rows in hand.
 *
 * @param rows their mapped columns, as {@link RowColumns} selects them, in claim order; at least one
 * @param hold what holds them, together
 */
public record Claimed(List<Record> rows, Hold hold) {

    /** Some of the rows, as what holds all of them holds them; empty if there are none. */
    public Optional<Claimed> part(List<Record> some) {
        return some.isEmpty() ? Optional.empty() : Optional.of(new Claimed(some, hold));
    }

    /** The rows in parts of at most that many; only where each can be settled without the others. */
    public List<Claimed> split(int size) {
        return IntStream.iterate(0, from -> from < rows.size(), from -> from + size)
                .mapToObj(from -> new Claimed(rows.subList(from, Math.min(from + size, rows.size())), hold))
                .toList();
    }
}
