package dev.dibs.benchmarks;

import dev.dibs.Queue;
import dev.dibs.postgres.Notifications;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.testkit.Address;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * From the moment at which a message is to be written until its handler starts, with the system idle: written in the worker's own
 * process, and in another.
 */
final class WakeLatency implements Scenario {

    private static final int CONNECTIONS = 4;
    private static final long PATIENCE_SECONDS = 30;
    private static final double MICROS_PER_MILLI = 1e3;

    @Override
    public String name() {
        return "wake-up";
    }

    @Override
    public List<String> ids(Database database) {
        var ids = new ArrayList<>(List.of(database + ".wake.same-process.p50"));
        if (database == Database.POSTGRESQL || database == Database.SQLITE) {
            ids.add(database + ".wake.other-process.p50");
        }
        if (database == Database.POSTGRESQL) {
            ids.add(database + ".wake.other-process.p99");
        }
        return ids;
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws Exception {
        var messages = run.size().waiting().messages();
        if (run.wants(database + ".wake.same-process.p50")) {
            measure(database, messages, "same-process", findings, (address, dsl) -> {
                new WakeWriter(queue(dsl)).write(messages);
                return () -> {};
            });
        }
        if (ids(database).stream().anyMatch(id -> id.contains("other-process") && run.wants(id))) {
            measure(database, messages, "other-process", findings, (address, dsl) -> {
                var process = otherProcess(database, address, messages);
                return process::destroy;
            });
        }
    }

    @SuppressWarnings("try") // they work until they are closed
    private void measure(Database database, int messages, String who, Findings findings, Writing writing)
            throws Exception {
        var address = database.create();
        BlockingQueue<Long> latencies = new LinkedBlockingQueue<>();
        try (var pool = address.pool(CONNECTIONS)) {
            QueueSchema.migrate(pool);
            var dsl = DSL.using(pool, address.dialect());
            try (var listening = notifications(database, dsl);
                    var worker = queue(dsl)
                            .worker()
                            .consume(due -> latencies.add(WakeWriter.micros() - Long.parseLong(due)));
                    var writer = writing.start(address, dsl)) {
                var ids = ids(database);
                var micros = histogram(latencies, messages);
                var id = "%s.wake.%s.p".formatted(database, who);
                for (var percentile : List.of(50.0, 90.0, 99.0, 99.9, 100.0)) {
                    var millis = micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
                    var place = percentile == 100 ? "max" : "p" + Figure.text(percentile);
                    findings.point(new Point(Chart.WAKE, database, who.replace('-', ' '), place, millis));
                    if (ids.contains(id + Math.round(percentile))) {
                        findings.figure(id + Math.round(percentile), millis);
                    }
                }
            }
        }
    }

    // The first half warms up.
    private static Histogram histogram(BlockingQueue<Long> latencies, int messages) throws InterruptedException {
        var micros = new Histogram(3);
        for (int message = -messages; message < messages; message++) {
            var latency = latencies.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (latency == null) {
                throw new IllegalStateException("no message started for %d seconds".formatted(PATIENCE_SECONDS));
            }
            if (message >= 0) {
                micros.recordValue(Math.max(0, latency));
            }
        }
        return micros;
    }

    private static Process otherProcess(Database database, Address address, int messages) throws IOException {
        var builder = new ProcessBuilder(
                Servers.java().toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                WakeWriter.class.getName(),
                database.toString(),
                Integer.toString(messages));
        builder.environment().put(WakeWriter.URL, address.url());
        builder.environment().put(WakeWriter.USER, address.user());
        builder.environment().put(WakeWriter.PASSWORD, address.password());
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    static AutoCloseable notifications(Database database, DSLContext dsl) {
        return database == Database.POSTGRESQL ? Notifications.open(dsl) : () -> {};
    }

    static Queue<String> queue(DSLContext dsl) {
        return Queue.of(dsl, ManagedQueue.ofText(), Backlog.QUEUE);
    }

    /** Begins to write; closing ends it. */
    @FunctionalInterface
    private interface Writing {
        AutoCloseable start(Address address, DSLContext dsl) throws IOException, InterruptedException;
    }
}
