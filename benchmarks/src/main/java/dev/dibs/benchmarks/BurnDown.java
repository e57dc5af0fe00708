package dev.dibs.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A preloaded queue is emptied, by Dibs, raw loops and peers, one after the other. */
final class BurnDown implements Scenario {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);
    private static final int PART = 5_000;

    @Override
    public String name() {
        return "burn-down beside peers";
    }

    @Override
    public List<String> ids(Database database) {
        return database == Database.POSTGRESQL
                ? List.of("vs-db-scheduler", "vs-jobrunr", "vs-graphile-worker", "vs-pg-boss")
                : List.of();
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws Exception {
        var best = new HashMap<String, Double>();
        for (var entrant : Peers.entrants(run, "vs-", findings)) {
            run.step("burn-down: " + entrant.name());
            var rate = rate(entrant, database, run.size().draining());
            best.merge(entrant.family(), rate, Math::max);
            findings.point(new Point(Chart.BURN_DOWN, database, "messages/s", entrant.name(), rate));
        }
        Peers.ratios("vs-", best, findings);
    }

    /** Messages a second in the best of the rounds, after those that warm up. */
    static double rate(Entrant entrant, Database database, Size.Draining size) throws Exception {
        try (var contestant = entrant.opening().open(database.create())) {
            var best = 0.0;
            for (int round = -size.warmUps(); round < size.rounds(); round++) {
                var rate = round(contestant, size.messages());
                best = round < 0 ? best : Math.max(best, rate);
            }
            return best;
        }
    }

    @SuppressWarnings("try") // it works until it is closed
    private static double round(Contestant contestant, int messages) throws Exception {
        for (int part = 0; part < messages; part += PART) {
            contestant.enqueue(Math.min(PART, messages - part));
        }
        var handled = new AtomicLong();
        var start = System.nanoTime();
        try (var working = contestant.start(handled::addAndGet)) {
            while (handled.get() < messages || contestant.left() > 0) {
                if (System.nanoTime() - start > PATIENCE_NANOS) {
                    throw new IllegalStateException(
                            "%d of %d messages are left after three minutes".formatted(contestant.left(), messages));
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
            return messages * 1e9 / (System.nanoTime() - start);
        }
    }
}
