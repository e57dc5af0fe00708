package dev.dibs.postgres;

import dev.dibs.spi.Listening;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.SignalKey;
import dev.dibs.spi.Wakeups;
import dev.dibs.wake.WakeRegistry.Sleepers;
import org.jooq.DSLContext;

/** By the notifications that the application has opened, if it has. */
record ByNotifications() implements Wakeups {

    @Override
    public Listening listen(DSLContext dsl, QueueRef queue, Sleepers sleepers) {
        return Notifications.of(dsl.configuration())
                .map(opened -> opened.listen(queue, sleepers))
                .orElse(() -> {});
    }

    @Override
    public Listening listen(DSLContext dsl, SignalKey key, Sleepers sleepers) {
        return Notifications.of(dsl.configuration())
                .map(opened -> opened.listen(key, sleepers))
                .orElse(() -> {});
    }

    @Override
    public void signalled(DSLContext dsl, SignalKey key) {
        Notifications.of(dsl.configuration()).ifPresent(opened -> opened.signalled(key));
    }

    @Override
    public int connectionsKept(DSLContext dsl) {
        return Notifications.of(dsl.configuration())
                .map(Notifications::connectionsKept)
                .orElse(0);
    }

    @Override
    public void inserted(DSLContext dsl, QueueRef queue) {
        Notifications.of(dsl.configuration()).ifPresent(opened -> opened.inserted(queue));
    }

    @Override
    public void ready(DSLContext dsl, QueueRef queue) {
        Notifications.of(dsl.configuration()).ifPresent(opened -> opened.ready(queue));
    }
}
