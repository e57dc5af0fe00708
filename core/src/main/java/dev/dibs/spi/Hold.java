package dev.dibs.spi;

import org.jooq.Condition;

/** What proves that a claim still holds its rows. */
@FunctionalInterface
public interface Hold {

    /** True of a row only while this claim holds it. */
    Condition guard();
}
