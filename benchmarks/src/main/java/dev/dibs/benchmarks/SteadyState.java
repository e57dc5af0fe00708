package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.table.LockForm;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Messages a second while producers hold the depth of the queue: undisturbed, while another session holds a snapshot, and after
 * that.
 */
final class SteadyState implements Scenario {

    private static final int DEPTH = 4_000;
    private static final int PART = 500;
    private static final int PRODUCERS = 3;

    @Override
    public String name() {
        return "steady state";
    }

    @Override
    public List<String> ids(Database database) {
        return database == Database.POSTGRESQL
                ? List.of(
                        "postgresql.steady.vs-raw-from-head",
                        "postgresql.held-snapshot.vs-undisturbed",
                        "steady.vs-db-scheduler",
                        "steady.vs-jobrunr",
                        "steady.vs-graphile-worker",
                        "steady.vs-pg-boss")
                : List.of();
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws Exception {
        var entrants = new ArrayList<>(Peers.entrants(run, "steady.vs-", findings));
        if (run.wants("postgresql.steady.vs-raw-from-head")) {
            entrants.add(Entrant.raw(database, LockForm.LEASE, 1, PART));
        }
        var best = new HashMap<String, Double>();
        for (var entrant : entrants) {
            run.step("steady state: " + entrant.name());
            var rates = rates(entrant, database, run.size().steady(), findings);
            best.merge(entrant.family(), rates.undisturbed(), Math::max);
            if (entrant.equals(entrants.get(0))) {
                findings.figure("postgresql.held-snapshot.vs-undisturbed", rates.after() / rates.undisturbed());
            }
        }
        findings.figure("postgresql.steady.vs-raw-from-head", Peers.ratio(best, Entrant.RAW));
        Peers.ratios("steady.vs-", best, findings);
        Peers.remarks(findings);
    }

    private static Rates rates(Entrant entrant, Database database, Size.Steady size, Findings findings)
            throws Exception {
        var address = database.create();
        try (var contestant = entrant.opening().open(address);
                var watching = address.pool(2);
                var flow = new Flow(contestant)) {
            flow.ratePerSecond(size.warmUp());
            var before = Counters.read(watching);
            var enqueued = flow.enqueued.get();
            var undisturbed = flow.ratePerSecond(size.phase());
            Counters.read(watching)
                    .since(before)
                    .addTo(findings, Chart.COST, entrant.name(), flow.enqueued.get() - enqueued);
            var held = rateWhileASnapshotIsHeld(flow, watching, size.phase());
            var after = flow.ratePerSecond(size.phase());
            var rates = new Rates(undisturbed, held, after);
            rates.addTo(findings, database, entrant.name());
            return rates;
        }
    }

    private static double rateWhileASnapshotIsHeld(Flow flow, HikariDataSource pool, int seconds) throws Exception {
        try (var holder = pool.getConnection()) {
            holder.setAutoCommit(false);
            holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (var statement = holder.createStatement()) {
                statement.execute("select 1 from pg_class limit 1");
            }
            var rate = flow.ratePerSecond(seconds);
            holder.rollback();
            return rate;
        }
    }

    /** Messages a second in the three phases. */
    private record Rates(double undisturbed, double held, double after) {

        void addTo(Findings findings, Database database, String series) {
            findings.point(new Point(Chart.STEADY, database, "undisturbed", series, undisturbed));
            findings.point(new Point(Chart.STEADY, database, "snapshot held", series, held));
            findings.point(new Point(Chart.STEADY, database, "after", series, after));
        }
    }

    /** A contestant at work, with producers that hold the depth until it is closed. */
    private static final class Flow implements AutoCloseable {

        private final Contestant contestant;
        private final Semaphore room = new Semaphore(DEPTH);
        private final AtomicLong enqueued = new AtomicLong();
        private final CountDownLatch over = new CountDownLatch(1);
        private final ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
        private final List<Future<Boolean>> producing = new ArrayList<>();
        private final AutoCloseable working;

        Flow(Contestant contestant) throws Exception {
            this.contestant = contestant;
            this.working = contestant.start(room::release);
            for (int producer = 0; producer < PRODUCERS; producer++) {
                producing.add(threads.submit(this::produce));
            }
        }

        private boolean produce() throws Exception {
            while (over.getCount() > 0) {
                if (room.tryAcquire(PART, 100, TimeUnit.MILLISECONDS)) {
                    contestant.enqueue(PART);
                    enqueued.addAndGet(PART);
                }
            }
            return true;
        }

        double ratePerSecond(int seconds) throws Exception {
            var before = settled();
            var start = System.nanoTime();
            TimeUnit.SECONDS.sleep(seconds);
            return (settled() - before) * 1e9 / (System.nanoTime() - start);
        }

        // What is committed: enqueued, and no longer there.
        private long settled() throws Exception {
            return enqueued.get() - contestant.left();
        }

        @Override
        public void close() throws Exception {
            over.countDown();
            threads.shutdown();
            for (var ended : producing) {
                ended.get();
            }
            working.close();
        }
    }
}
