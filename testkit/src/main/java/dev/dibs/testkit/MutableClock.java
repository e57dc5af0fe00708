package dev.dibs.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. Safe for any thread. */
public final class MutableClock implements InstantSource {

    private volatile Instant now;

    private MutableClock(Instant start) {
        this.now = start;
    }

    /** A clock that stands at an instant. */
    public static MutableClock at(Instant start) {
        return new MutableClock(start);
    }

    /** Moves the clock on. */
    public synchronized void advance(Duration step) {
        now = now.plus(step);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
