package dev.dibs.spi;

import java.util.function.Function;
import org.jooq.DSLContext;

/** Runs statements of Dibs' own, and commits them. */
public interface OwnTransaction {

    /** Runs several statements in one transaction: all of them take effect, or none. */
    <R> R run(DSLContext dsl, Function<DSLContext, R> work);

    /** Runs one statement, with no more round trips than it needs, and commits it. */
    <R> R single(DSLContext dsl, Function<DSLContext, R> statement);
}
