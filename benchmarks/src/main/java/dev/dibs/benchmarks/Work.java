package dev.dibs.benchmarks;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A scenario on a database. */
record Work(Scenario scenario, Database database) {

    private static final List<Scenario> SCENARIOS = List.of(
            new ThroughputScenario(),
            new BurnDown(),
            new SteadyState(),
            new ClaimCost(),
            new GrowingLoad(),
            new WakeLatency(),
            new TriggerCost(),
            new IdleCost(),
            new Contention());

    /** Whatever finds figures that are wanted. */
    static List<Work> of(List<Database> databases, Pattern only) {
        return databases.stream()
                .flatMap(database -> SCENARIOS.stream().map(scenario -> new Work(scenario, database)))
                .filter(work ->
                        work.ids().stream().anyMatch(id -> only.matcher(id).matches()))
                .toList();
    }

    /** Measures, and tells what went wrong if it could not, which is no reason not to measure the rest. */
    Optional<String> measure(Run run, Findings findings) {
        try {
            run.step("%s: %s".formatted(database, scenario.name()));
            scenario.measure(run, database, findings);
            return Optional.empty();
        } catch (Exception failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            findings.remark("Not measured: %s: %s".formatted(this, failure.getMessage()));
            return Optional.of("%s: %s".formatted(this, failure));
        }
    }

    private List<String> ids() {
        return scenario.ids(database);
    }

    @Override
    public String toString() {
        return "%s, %s".formatted(scenario.name(), database);
    }
}
