package dev.dibs.spi;

import java.util.Optional;

/** Takes rows of a queue so that nobody else can, in one lock form on one database. */
@FunctionalInterface
public interface Claim {

    /**
     * Claims up to the requested number of rows, in claim order; empty if there is none.
     *
     * <p>Two calls never return one row while the first one holds it, on any connection of any process.
     */
    Optional<Claimed> claim(ClaimRequest request);
}
