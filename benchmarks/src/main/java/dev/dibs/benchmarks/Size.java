package dev.dibs.benchmarks;

import java.util.List;

/**
 * How much is measured, and how long.
 *
 * @param name what the command is called
 */
record Size(String name, Throughput throughput, Draining draining, Steady steady, Growth growth, Waiting waiting) {

    /** Under five minutes: shapes, not final figures. */
    static final Size QUICK = new Size(
            "quick",
            new Throughput(1, 1, 2, List.of(16)),
            new Draining(10_000, 1, 2),
            new Steady(4, 3),
            new Growth(List.of(1_000, 100_000), 100_000, 300),
            new Waiting(300, 5));

    /** All of it, for hours, on machines that do nothing else. */
    static final Size FULL = new Size(
            "full",
            new Throughput(2, 3, 5, List.of(1, 4, 16, 64)),
            new Draining(100_000, 3, 5),
            new Steady(60, 60),
            new Growth(List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000), 1_000_000, 1_000),
            new Waiting(1_000, 60));

    boolean isQuick() {
        return equals(QUICK);
    }

    /**
     * JMH's defaults, which its own options override.
     *
     * @param seconds of each iteration
     */
    record Throughput(int seconds, int warmUps, int iterations, List<Integer> threads) {}

    /**
     * Burn-downs.
     *
     * @param messages of each round
     * @param warmUps rounds that are not counted
     */
    record Draining(int messages, int warmUps, int rounds) {}

    /**
     * Steady states.
     *
     * @param warmUp seconds
     * @param phase seconds of each phase
     */
    record Steady(int warmUp, int phase) {}

    /**
     * How claims grow.
     *
     * @param backlogs rows that are ready
     * @param inFront most rows that stand in front of the ready ones
     * @param claims that are measured
     */
    record Growth(List<Integer> backlogs, int inFront, int claims) {}

    /**
     * Latencies and contention.
     *
     * @param messages that are written one at a time
     * @param seconds of contention
     */
    record Waiting(int messages, int seconds) {}
}
