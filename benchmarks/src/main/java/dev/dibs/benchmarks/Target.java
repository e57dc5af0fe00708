package dev.dibs.benchmarks;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a figure is wanted to reach.
 *
 * @param bound the value
 * @param isLeast whether it is the least that is wanted, else the most
 */
record Target(@JsonValue double bound, boolean isLeast) {

    private static final List<Rule> RULES = List.of(
            least("postgresql\\.lease\\.worker\\.vs-raw-one-row", 8),
            least("postgresql\\.lease\\.worker\\.best\\.vs-raw-one-row", 12),
            least("postgresql\\.lease\\.worker(\\.best)?\\.vs-raw-batch", 1),
            least("(mysql|mariadb)\\.lease\\.worker\\.vs-raw-batch", 0.7),
            least("sqlite\\.lease\\.worker\\.vs-raw-batch", 0.8),
            least(".*\\.row-lock\\.worker\\.vs-raw-one-row", 0.9),
            least(".*\\.enqueue\\.tx\\.vs-raw", 0.9),
            least("postgresql\\.enqueue\\.bulk\\.vs-copy", 0.8),
            most("(postgresql|mysql|mariadb|sqlite)\\.wake\\.same-process\\.p50", 1),
            most("postgresql\\.wake\\.other-process(\\.plain-sql)?\\.p50", 2),
            most("sqlite\\.wake\\.other-process\\.p50", 5),
            least("postgresql\\.trigger\\.on-demand-busy\\.vs-none", 0.8),
            most(".*\\.claim\\.(backlog-10m\\.vs-1k|not-due-1m\\.vs-0)", 2),
            least("postgresql\\.steady\\.vs-raw-from-head", 3),
            least("postgresql\\.held-snapshot\\.vs-undisturbed", 0.8),
            most(".*\\.deadlocks", 0),
            least("(steady\\.)?vs-db-scheduler", 4),
            least("(steady\\.)?vs-jobrunr", 15),
            least("(steady\\.)?vs-(graphile-worker|pg-boss)", 1));

    /** What is wanted of a figure, if anything is. */
    static Optional<Target> of(String id) {
        return RULES.stream()
                .filter(rule -> rule.id().matcher(id).matches())
                .map(Rule::target)
                .findFirst();
    }

    private static Rule least(String id, double bound) {
        return new Rule(Pattern.compile(id), new Target(bound, true));
    }

    private static Rule most(String id, double bound) {
        return new Rule(Pattern.compile(id), new Target(bound, false));
    }

    boolean isMetBy(double value) {
        return isLeast ? value >= bound : value <= bound;
    }

    /** As people write it: ">= 0.9". */
    @Override
    public String toString() {
        return (isLeast ? ">= " : "<= ") + Figure.text(bound);
    }

    private record Rule(Pattern id, Target target) {}
}
