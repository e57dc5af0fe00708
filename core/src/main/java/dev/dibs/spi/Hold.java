package dev.dibs.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * What holds claimed rows until they are settled.
 *
 * <p>For one thread at a time, but for what it says of its rows. Closing lets go of what is still held; it may be closed
 * twice.
 */
public interface Hold extends AutoCloseable {

    /** True of these rows of the claim only while it holds them. */
    Condition guard(List<Record> rows);

    /** What a guard gives to statements that are kept; empty if the guards of its rows have no common text. */
    default Optional<Map<String, Object>> given() {
        return Optional.empty();
    }

    /** Where the rows' ends are written and committed. */
    OwnTransaction settling();

    /**
     * Begins a transaction for a handler of the rows.
     *
     * @param pool gives a connection where the rows are held without one
     */
    HandlerTransaction begin(DSLContext pool);

    /**
     * Holds on to rows that would come back by themselves otherwise; nothing to do where a connection holds them.
     *
     * @param pool gives a connection
     * @return false if somebody had some of them locked, so that they are to be extended again soon
     */
    default boolean extend(DSLContext pool, List<Record> rows) {
        return true;
    }

    /** Whether it is known that a row is no longer held. */
    default boolean isLost(Record row) {
        return false;
    }

    /** Whether no one else can have taken a row, whatever the database would say. */
    default boolean isSure(Record row) {
        return false;
    }

    @Override
    void close();
}
