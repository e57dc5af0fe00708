package dev.dibs;

import java.time.Duration;
import java.util.function.IntFunction;

/** Delays that grow by a step with each failure up to a longest one, with full jitter. */
record LinearDelays(Duration step, Duration longest) implements IntFunction<Duration> {

    LinearDelays {
        Jitter.requireRange(step, longest);
    }

    @Override
    public Duration apply(int failures) {
        return Jitter.full(ceilingAfter(failures));
    }

    /** The delay before jitter: multiplied without overflow. */
    Duration ceilingAfter(int failures) {
        var steps = Math.max(failures, 1);
        return longest.dividedBy(step) < steps ? longest : step.multipliedBy(steps);
    }
}
