package dev.dibs.spi;

import java.util.List;

/** Takes rows of a queue so that nobody else can, in one lock form on one database. */
@FunctionalInterface
public interface Claim {

    /**
     * Claims up to the requested number of rows, in claim order.
     *
     * <p>Two calls never return one row while the first one holds it, on any connection of any process.
     */
    List<Claimed> claim(ClaimRequest request);
}
