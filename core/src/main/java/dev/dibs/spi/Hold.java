package dev.dibs.spi;

import org.jooq.Condition;

/**
 * What holds claimed rows until they are settled.
 *
 * <p>For the thread that handles the rows. Closing lets go of what is still held; it may be closed twice.
 */
public interface Hold extends AutoCloseable {

    /** True of a row only while this claim holds it. */
    Condition guard();

    /** Where a row's end is written and committed. */
    OwnTransaction settling();

    @Override
    void close();

    /** A hold that is written in the row itself, so that nothing is to be let go of. */
    static Hold written(Condition guard, OwnTransaction settling) {
        return new Hold() {
            @Override
            public Condition guard() {
                return guard;
            }

            @Override
            public OwnTransaction settling() {
                return settling;
            }

            @Override
            public void close() {}
        };
    }
}
