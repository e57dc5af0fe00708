package dev.dibs.spi;

import dev.dibs.wake.WakeRegistry.Sleepers;
import dev.dibs.wake.WakeRegistry.Subscription;
import org.jooq.DSLContext;

/** How this process hears of messages that others have written. Safe for any thread. */
@FunctionalInterface
public interface Wakeups {

    /** Wakes the sleepers when somebody may have written messages for them, until it is closed; it may be closed twice. */
    Subscription listen(DSLContext dsl, Sleepers sleepers);

    /** It does not; what others write is found by polling. */
    static Wakeups none() {
        return (dsl, sleepers) -> () -> {};
    }
}
