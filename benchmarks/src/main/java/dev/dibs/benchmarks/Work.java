package dev.dibs.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A scenario on a database. */
record Work(Scenario scenario, Database database) {

    private static final List<Scenario> SCENARIOS = List.of(
            new ThroughputScenario(),
            new BurnDown(),
            new SteadyState(),
            new ClaimCost(),
            new WakeLatency(),
            new TriggerCost(),
            new Contention());

    /** Whatever finds figures that are wanted. */
    static List<Work> of(List<Database> databases, Pattern only) {
        return databases.stream()
                .flatMap(database -> SCENARIOS.stream().map(scenario -> new Work(scenario, database)))
                .filter(work ->
                        work.ids().stream().anyMatch(id -> only.matcher(id).matches()))
                .toList();
    }

    /** Measures one after the other; what could not be measured is told, and does not keep the others from it. */
    static List<String> measureAll(List<Work> all, Run run, Findings findings, Runnable done) {
        var failures = new ArrayList<String>();
        for (var work : all) {
            try {
                run.step("%s: %s".formatted(work.database(), work.scenario().name()));
                work.scenario().measure(run, work.database(), findings);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                failures.add("%s: interrupted".formatted(work));
                return failures;
            } catch (Exception failure) {
                failures.add("%s: %s".formatted(work, failure));
                findings.remark("Not measured: %s: %s".formatted(work, failure.getMessage()));
            }
            done.run();
        }
        return failures;
    }

    private List<String> ids() {
        return scenario.ids(database);
    }

    @Override
    public String toString() {
        return "%s, %s".formatted(scenario.name(), database);
    }
}
