package dev.dibs.spi;

import java.util.List;
import java.util.Optional;
import org.jooq.Record;

/**
 * Takes rows of a queue so that nobody else can, in one lock form on one database.
 *
 * <p>One worker has one, which may remember what its claims have seen. Safe for any thread.
 */
@FunctionalInterface
public interface Claim {

    /**
     * Claims up to the requested number of rows, in claim order; empty if there is none.
     *
     * <p>Two calls never return one row while the first one holds it, on any connection of any process.
     */
    Optional<Claimed> claim(ClaimRequest request);

    /**
     * Whether claims pass over the part of the index that they have seen, so that a full look is needed now and then for
     * what becomes ready there again.
     */
    default boolean needsFullLooks() {
        return false;
    }

    /** Rows that this claim returned are ready again in their old places; to be told after that is committed. */
    default void lookAgain(List<Record> rows) {}

    /** What was seen may be wrong, as after a connection was lost: claims look from the start again. */
    default void reset() {}
}
