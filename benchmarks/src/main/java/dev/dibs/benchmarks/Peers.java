package dev.dibs.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Who takes part beside Dibs, and what it is compared with. */
final class Peers {

    private static final List<String> FAMILIES = List.of("db-scheduler", "jobrunr", "graphile-worker", "pg-boss");

    private Peers() {}

    /**
     * Dibs, and the peers of which figures are wanted.
     *
     * @param prefix of the figures' ids, before the peer's name
     */
    static List<Entrant> entrants(Run run, String prefix, Findings findings) throws InterruptedException {
        var peers = new ArrayList<>(Entrant.peers());
        if (run.wants(prefix + "graphile-worker") || run.wants(prefix + "pg-boss")) {
            peers.addAll(nodePeers(run, findings));
        }
        peers.removeIf(entrant -> !run.wants(prefix + entrant.family()));
        peers.addAll(0, Entrant.dibs());
        return run.isShort() ? oneOfEach(peers) : peers;
    }

    private static List<Entrant> oneOfEach(List<Entrant> entrants) {
        return Stream.of(Entrant.DIBS, "db-scheduler")
                .flatMap(family -> entrants.stream()
                        .filter(entrant -> entrant.family().equals(family))
                        .limit(1))
                .toList();
    }

    private static List<Entrant> nodePeers(Run run, Findings findings) throws InterruptedException {
        if (run.isShort()) {
            findings.remark(
                    "JobRunr, graphile-worker and pg-boss are measured by the full run: the first takes minutes, the"
                            + " others have to be fetched by npm.");
            return List.of();
        }
        try {
            return Entrant.nodePeers(NodePrograms.install(Path.of("benchmarks", "target", "peers")));
        } catch (IOException absent) {
            findings.remark("graphile-worker and pg-boss were not measured: " + absent.getMessage());
            return List.of();
        }
    }

    /** Dibs at its best to each peer at its best. */
    static void ratios(String prefix, Map<String, Double> best, Findings findings) {
        for (var family : FAMILIES) {
            findings.figure(prefix + family, ratio(best, family));
        }
    }

    /** Dibs at its best to a family at its best; no number if one of them was not measured. */
    static double ratio(Map<String, Double> best, String family) {
        return best.getOrDefault(Entrant.DIBS, Double.NaN) / best.getOrDefault(family, Double.NaN);
    }

    /** What they do in another way, which a reader of the values has to know. */
    static void remarks(Findings findings) {
        findings.remark(
                "JobRunr keeps succeeded jobs in its table, and the shortest interval of its polls is 5 seconds; while"
                        + " jobs are left its workers ask again at once. Its clock starts when its first job is handled.");
        findings.remark(
                "pg-boss keeps completed jobs in its table. Its batches are fetched and completed by a loop, as its"
                        + " documentation has it, while handlers of Dibs get one message at a time.");
        findings.remark(
                "db-scheduler fetches by lock-and-fetch with limits of 0.5 and 4.0 of its threads, every 100 ms when"
                        + " there was nothing.");
    }
}
