package dev.dibs.time;

import java.time.InstantSource;
import org.jooq.impl.DSL;

/** Whose clock writes and compares a queue's times. */
public interface TimeSource {

    /** Reads the clock once; a step of work makes one reading and uses it throughout. */
    Now now();

    /** Whether it is the database's own clock, read where and when the statement executes. */
    default boolean isDatabase() {
        return false;
    }

    /** The database's own clock, so that hosts need no common one; the default. */
    static TimeSource database() {
        return new DatabaseTime();
    }

    /** This host's clock, cut to microseconds; hosts must agree to well within a lease. */
    static TimeSource host() {
        return host(InstantSource.system());
    }

    /** A clock of your own, cut to microseconds; tests hand in one that they move. */
    static TimeSource host(InstantSource clock) {
        return () -> {
            var micros = DSL.val(Micros.of(clock.instant()));
            return new Now(micros, micros);
        };
    }
}
