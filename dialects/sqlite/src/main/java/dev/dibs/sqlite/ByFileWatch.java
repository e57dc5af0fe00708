package dev.dibs.sqlite;

import dev.dibs.spi.Listening;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.SignalKey;
import dev.dibs.spi.Wakeups;
import dev.dibs.wake.WakeRegistry.Sleepers;
import org.jooq.DSLContext;

/** By the version of the file, which does not tell what was written: everything is a reason to look. */
record ByFileWatch() implements Wakeups {

    @Override
    public Listening listen(DSLContext dsl, QueueRef queue, Sleepers sleepers) {
        return FileWatch.listen(dsl, sleepers);
    }

    @Override
    public Listening listen(DSLContext dsl, SignalKey key, Sleepers sleepers) {
        return FileWatch.listen(dsl, sleepers);
    }
}
