package dev.dibs.benchmarks;

import dev.dibs.table.LockForm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What JMH measures: draining and enqueueing, each beside raw loops. */
final class ThroughputScenario implements Scenario {

    /** Of raw claims: up to as many rows as a worker claims at once. */
    private static final List<Integer> BATCHES = List.of(100, 500, 1_000);

    private static final int HANDLERS = 16;

    @Override
    public String name() {
        return "throughput (JMH)";
    }

    @Override
    public List<String> ids(Database database) {
        var ids = new ArrayList<String>();
        for (var form : LockForm.values()) {
            if (database.has(form)) {
                ids.add(id(database, form, "vs-raw-one-row"));
                ids.add(id(database, form, "vs-raw-batch"));
            }
        }
        ids.add(database + ".enqueue.tx.vs-raw");
        ids.add(others(database));
        if (database == Database.POSTGRESQL) {
            ids.add(id(database, LockForm.LEASE, "best.vs-raw-one-row"));
            ids.add(id(database, LockForm.LEASE, "best.vs-raw-batch"));
            ids.add("postgresql.enqueue.bulk.vs-copy");
        }
        return ids;
    }

    private static String others(Database database) {
        return database + ".enqueue.others";
    }

    private static String id(Database database, LockForm form, String what) {
        return "%s.%s.worker.%s"
                .formatted(database, form.name().toLowerCase(Locale.ROOT).replace('_', '-'), what);
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws IOException, RunnerException {
        try (var jmh = new Jmh(run, database)) {
            for (var form : LockForm.values()) {
                if (database.has(form) && !(form == LockForm.ADVISORY && jmh.run.isShort())) {
                    drain(jmh, form, findings);
                }
            }
            enqueue(jmh, findings);
        }
    }

    private static void drain(Jmh jmh, LockForm form, Findings findings) throws RunnerException {
        var oneRow = id(jmh.database, form, "vs-raw-one-row");
        var batch = id(jmh.database, form, "vs-raw-batch");
        var bestOneRow = id(jmh.database, form, "best.vs-raw-one-row");
        var bestBatch = id(jmh.database, form, "best.vs-raw-batch");
        var isLease = form == LockForm.LEASE;
        var threads = jmh.run.size().throughput().threads();
        if (!jmh.wantsAny(oneRow, batch, bestOneRow, bestBatch)) {
            return;
        }
        var worker = jmh.wantsAny(oneRow, batch)
                ? jmh.drains(isLease ? "worker" : "holdingWorker", form, threads, 1, "worker", findings)
                : List.<Drained>of();
        var best = isLease && jmh.database == Database.POSTGRESQL && jmh.wantsAny(bestOneRow, bestBatch)
                ? jmh.drains("bestWorker", form, threads, 1, "worker, prefetch 5,000", findings)
                : List.<Drained>of();
        if (jmh.wantsAny(oneRow, bestOneRow)) {
            var raw = fastest(jmh.drains("rawOneRow", form, rawThreads(jmh, HANDLERS), 1, "raw, 1 row", findings));
            findings.figure(oneRow, at(worker) / raw);
            findings.figure(bestOneRow, at(best) / raw);
        }
        if (jmh.wantsAny(batch, bestBatch) && (isLease || !jmh.run.isShort())) {
            var raw = 0.0;
            for (int rows : jmh.run.size().isQuick() ? BATCHES.subList(1, 2) : BATCHES) {
                var series = "raw, %,d rows".formatted(rows);
                raw = Math.max(raw, fastest(jmh.drains("rawBatch", form, rawThreads(jmh, 4), rows, series, findings)));
            }
            findings.figure(batch, at(worker) / raw);
            findings.figure(bestBatch, at(best) / raw);
        }
    }

    // A quick run takes the number of threads that was best in full ones; writers of SQLite take turns.
    private static List<Integer> rawThreads(Jmh jmh, int best) {
        if (!jmh.run.size().isQuick()) {
            return jmh.run.size().throughput().threads();
        }
        return List.of(jmh.database == Database.SQLITE ? 1 : best);
    }

    private static double at(List<Drained> worker) {
        return worker.stream()
                .filter(drained -> drained.threads() == HANDLERS)
                .mapToDouble(Drained::rate)
                .findFirst()
                .orElse(Double.NaN);
    }

    private static double fastest(List<Drained> raw) {
        return raw.stream().mapToDouble(Drained::rate).max().orElse(Double.NaN);
    }

    private static void enqueue(Jmh jmh, Findings findings) throws RunnerException {
        var tx = jmh.database + ".enqueue.tx.vs-raw";
        var bulk = "postgresql.enqueue.bulk.vs-copy";
        if (jmh.wantsAny(tx)) {
            var ours = jmh.enqueues("inTransaction", "in a transaction", "Dibs", findings);
            var raw = jmh.enqueues("rawInTransaction", "in a transaction", "raw", findings);
            findings.figure(tx, ours / raw);
        }
        if (jmh.database == Database.POSTGRESQL && jmh.wantsAny(bulk)) {
            var ours = jmh.enqueues("bulk", "10,000 in one call", "Dibs", findings);
            var raw = jmh.enqueues("rawCopy", "10,000 in one call", "raw", findings);
            findings.figure(bulk, ours / raw);
        }
        if (jmh.run.wantsInFull(others(jmh.database))) {
            jmh.enqueues("single", "alone", "Dibs", findings);
            jmh.enqueues("grouped", "grouped, 16 threads", "Dibs", findings);
            jmh.enqueues("rawBatch", "10,000 by JDBC batch", "raw", findings);
        }
    }

    /** Messages a second with so many threads. */
    private record Drained(int threads, double rate) {}

    /** JMH on one database's server; closing writes its results. */
    private static final class Jmh implements AutoCloseable {

        private final Run run;
        private final Database database;
        private final String server;
        private final PrintStream log;
        private final List<RunResult> results = new ArrayList<>();

        Jmh(Run run, Database database) throws IOException {
            this.run = run;
            this.database = database;
            this.server = Servers.argument(database, database.create());
            var file = Files.createDirectories(run.folder()).resolve("jmh-%s.log".formatted(database));
            this.log = new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8);
        }

        boolean wantsAny(String... ids) {
            return Stream.of(ids).anyMatch(run::wants);
        }

        List<Drained> drains(
                String benchmark, LockForm form, List<Integer> threads, int rows, String series, Findings findings)
                throws RunnerException {
            run.step("%s: %s, %s".formatted(database, form, series));
            var options = options(DrainBenchmark.class, benchmark)
                    .param("form", form.name().toLowerCase(Locale.ROOT))
                    .param("rows", Integer.toString(rows))
                    .param("threads", threads.stream().map(String::valueOf).toArray(String[]::new));
            var drained = new ArrayList<Drained>();
            for (var result : measured(options)) {
                var count = Integer.parseInt(result.getParams().getParam("threads"));
                var rate = result.getPrimaryResult().getScore();
                drained.add(new Drained(count, rate));
                findings.point(new Point(
                        Chart.THREADS, database, "%s: %s".formatted(form, series), Integer.toString(count), rate));
            }
            return drained;
        }

        double enqueues(String benchmark, String place, String series, Findings findings) throws RunnerException {
            run.step("%s: enqueue %s, %s".formatted(database, place, series));
            var rate = measured(options(EnqueueBenchmark.class, benchmark)).stream()
                    .mapToDouble(result -> result.getPrimaryResult().getScore())
                    .findFirst()
                    .orElse(Double.NaN);
            findings.point(new Point(Chart.ENQUEUE, database, series, place, rate));
            return rate;
        }

        private ChainedOptionsBuilder options(Class<?> type, String benchmark) {
            var size = run.size().throughput();
            var options = new OptionsBuilder();
            options.parent(given());
            options.include("%s\\.%s$".formatted(type.getName(), benchmark))
                    .param("database", database.toString())
                    .jvmArgsAppend(server, "-Djmh.ignoreLock=true");
            if (!given().getWarmupIterations().hasValue()) {
                options.warmupIterations(size.warmUps());
            }
            if (!given().getWarmupTime().hasValue()) {
                options.warmupTime(TimeValue.seconds(size.seconds()));
            }
            if (!given().getMeasurementIterations().hasValue()) {
                options.measurementIterations(size.iterations());
            }
            if (!given().getMeasurementTime().hasValue()) {
                options.measurementTime(TimeValue.seconds(size.seconds()));
            }
            return options;
        }

        private CommandLineOptions given() {
            try {
                return new CommandLineOptions(run.jmhOptions().toArray(String[]::new));
            } catch (CommandLineOptionException wrong) {
                throw new IllegalArgumentException(
                        "JMH does not take %s: %s".formatted(run.jmhOptions(), wrong.getMessage()), wrong);
            }
        }

        private Collection<RunResult> measured(ChainedOptionsBuilder options) throws RunnerException {
            var format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
            var measured = new Runner(options.build(), format).run();
            if (measured.isEmpty()) {
                throw new RunnerException("JMH measured nothing; jmh-%s.log says why".formatted(database));
            }
            results.addAll(measured);
            return measured;
        }

        @Override
        public void close() throws IOException {
            var file = run.folder().resolve("jmh-%s.json".formatted(database)).toString();
            ResultFormatFactory.getInstance(ResultFormatType.JSON, file).writeOut(results);
            log.close();
        }
    }
}
