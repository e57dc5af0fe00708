package dev.dibs.spi;

import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * What holds claimed rows until they are settled.
 *
 * <p>For the thread that handles the rows. Closing lets go of what is still held; it may be closed twice.
 */
public interface Hold extends AutoCloseable {

    /** True of a row only while this claim holds it. */
    Condition guard(Record row);

    /** Where the rows' ends are written and committed. */
    OwnTransaction settling();

    /**
     * Begins a transaction for a handler of the rows.
     *
     * @param pool gives a connection where the rows are held without one
     */
    HandlerTransaction begin(DSLContext pool);

    @Override
    void close();
}
