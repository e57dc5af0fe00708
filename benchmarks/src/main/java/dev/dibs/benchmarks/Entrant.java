package dev.dibs.benchmarks;

import dev.dibs.WorkerBuilder;
import dev.dibs.table.LockForm;
import dev.dibs.testkit.Address;
import java.util.List;

/**
 * A contestant with its settings, before it has a database.
 *
 * @param family whose it is: "dibs", "raw", or the name of a peer
 * @param name what the plots call it
 */
record Entrant(String family, String name, Opening opening) {

    static final String DIBS = "dibs";
    static final String RAW = "raw";

    private static final int HANDLERS = 16;

    /** Dibs with its defaults and with as many rows waiting as pays. */
    static List<Entrant> dibs() {
        return List.of(
                worker("Dibs, lease", WorkerBuilder.DEFAULT_PREFETCH),
                worker(
                        "Dibs, lease, prefetch %,d".formatted(WorkerBuilder.LARGEST_PREFETCH),
                        WorkerBuilder.LARGEST_PREFETCH));
    }

    // Its handlers get one message at a time and do nothing.
    private static Entrant worker(String name, int prefetch) {
        return new Entrant(
                DIBS,
                name,
                address -> new ManagedContestant(
                        address,
                        LockForm.LEASE,
                        HANDLERS,
                        (pool, queue, handled) -> queue.worker()
                                .concurrency(HANDLERS)
                                .prefetch(prefetch)
                                .consume(payload -> handled.accept(1))));
    }

    /** A raw loop. */
    static Entrant raw(Database database, LockForm form, int threads, int rows) {
        return new Entrant(
                RAW,
                "raw, %s, %d threads, %d rows".formatted(form, threads, rows),
                address -> new ManagedContestant(
                        database.withServerPlans(address), form, threads, new RawLoops(database, form, threads, rows)));
    }

    /** The queues that PostgreSQL is shared with. */
    static List<Entrant> peers() {
        return List.of(
                new Entrant("db-scheduler", "db-scheduler, 16 threads", at -> new DbSchedulerContestant(at, 16)),
                new Entrant("db-scheduler", "db-scheduler, 50 threads", at -> new DbSchedulerContestant(at, 50)),
                new Entrant("jobrunr", "JobRunr, 16 workers", at -> new JobRunrContestant(at, 16)),
                new Entrant("jobrunr", "JobRunr, 64 workers", at -> new JobRunrContestant(at, 64)));
    }

    /** Those that need Node. */
    static List<Entrant> nodePeers(NodePrograms programs) {
        return List.of(
                new Entrant(
                        "graphile-worker",
                        "graphile-worker, local queue 500",
                        at -> programs.start("graphile", at, 500)),
                new Entrant(
                        "graphile-worker",
                        "graphile-worker, local queue 2,000",
                        at -> programs.start("graphile", at, 2_000)),
                new Entrant("pg-boss", "pg-boss, batches of 1,000", at -> programs.start("pg-boss", at, 1_000)),
                new Entrant("pg-boss", "pg-boss, batches of 5,000", at -> programs.start("pg-boss", at, 5_000)));
    }

    /** Makes its tables in an empty database. */
    @FunctionalInterface
    interface Opening {
        Contestant open(Address address) throws Exception;
    }
}
