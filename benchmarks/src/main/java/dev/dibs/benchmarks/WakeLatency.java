package dev.dibs.benchmarks;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;

import dev.dibs.Queue;
import dev.dibs.postgres.Notifications;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.testkit.Address;
import dev.dibs.wake.Announcement;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
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
 * process, and in another. Beside it, what plain JDBC takes to insert a row and to claim it, on one thread.
 */
final class WakeLatency implements Scenario {

    /** Of the figures. */
    private static final List<Integer> PERCENTILES = List.of(50, 99);

    private static final String PLAIN_JDBC = "plain-jdbc";
    private static final int CONNECTIONS = 4;
    private static final int PLAIN_WARM_UP = 500;
    private static final long PATIENCE_SECONDS = 30;
    private static final double MICROS_PER_MILLI = 1e3;

    @Override
    public String name() {
        return "wake-up";
    }

    @Override
    public List<String> ids(Database database) {
        var ids = new ArrayList<String>();
        for (var writer : Writer.values()) {
            if (writer.isFor(database)) {
                ids.addAll(ids(database, writer.id));
            }
        }
        ids.addAll(ids(database, PLAIN_JDBC));
        return ids;
    }

    private static List<String> ids(Database database, String who) {
        return PERCENTILES.stream()
                .map(percentile -> id(database, who, percentile))
                .toList();
    }

    private static String id(Database database, String who, int percentile) {
        return "%s.wake.%s.p%d".formatted(database, who, percentile);
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws Exception {
        var messages = run.size().waiting().messages();
        for (var writer : Writer.values()) {
            if (writer.isFor(database) && ids(database, writer.id).stream().anyMatch(run::wants)) {
                run.step("%s: wake-up, %s".formatted(database, writer.label));
                var micros = latencies(writer, database, messages);
                addFigures(findings, database, writer.id, micros);
                addPoints(findings, database, writer.label, micros);
            }
        }
        run.step("%s: wake-up, plain JDBC".formatted(database));
        plainJdbc(database, messages, findings);
    }

    @SuppressWarnings("try") // they work until they are closed
    private static Histogram latencies(Writer writer, Database database, int messages) throws Exception {
        var address = database.create();
        BlockingQueue<Long> latencies = new LinkedBlockingQueue<>();
        try (var pool = address.pool(CONNECTIONS)) {
            QueueSchema.migrate(pool);
            if (writer == Writer.PLAIN_SQL) {
                QueueSchema.announce(pool, DIBS_MESSAGE, Announcement.ON_DEMAND);
            }
            var dsl = DSL.using(pool, address.dialect());
            try (var listening = notifications(database, dsl);
                    var worker = queue(dsl)
                            .worker()
                            .consume(due -> latencies.add(WakeWriter.micros() - Long.parseLong(due)));
                    var writing = start(writer, dsl, database, address, messages)) {
                return histogram(latencies, messages);
            }
        }
    }

    private static AutoCloseable start(Writer writer, DSLContext dsl, Database database, Address address, int messages)
            throws SQLException, IOException {
        return switch (writer) {
            case SAME_PROCESS -> {
                WakeWriter.enqueueing(dsl).write(messages);
                yield () -> {};
            }
            case OTHER_PROCESS -> otherProcess(database, address, messages, "enqueue")::destroy;
            case PLAIN_SQL -> otherProcess(database, address, messages, WakeWriter.PLAIN_SQL)::destroy;
        };
    }

    private static Histogram histogram(BlockingQueue<Long> latencies, int messages) throws InterruptedException {
        var micros = new Histogram(3);
        for (int message = -WakeWriter.WARM_UP; message < messages; message++) {
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

    private static Process otherProcess(Database database, Address address, int messages, String how)
            throws IOException {
        var builder = new ProcessBuilder(
                Servers.java().toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                WakeWriter.class.getName(),
                database.toString(),
                Integer.toString(messages),
                how);
        builder.environment().put(WakeWriter.URL, address.url());
        builder.environment().put(WakeWriter.USER, address.user());
        builder.environment().put(WakeWriter.PASSWORD, address.password());
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    // The commits' flushes are most of a latency, and differ from disk to disk.
    private static void plainJdbc(Database database, int messages, Findings findings) throws SQLException {
        var address = database.withServerPlans(database.create());
        try (var pool = address.pool(CONNECTIONS);
                var connection = pool.getConnection()) {
            QueueSchema.migrate(pool);
            var flushed = plainJdbc(database, connection, messages);
            addFigures(findings, database, PLAIN_JDBC, flushed);
            addPoints(findings, database, "plain JDBC: insert and claim", flushed);
            var unflushed = database.unflushed();
            if (unflushed.isPresent()) {
                try (var statement = connection.createStatement()) {
                    statement.execute(unflushed.get());
                }
                var micros = plainJdbc(database, connection, messages);
                addPoints(findings, database, "plain JDBC, commits not flushed", micros);
            }
        }
    }

    private static Histogram plainJdbc(Database database, Connection connection, int messages) throws SQLException {
        var micros = new Histogram(3);
        try (var raw = new RawJdbc(connection, database);
                var insert = connection.prepareStatement(EnqueueBenchmark.INSERT)) {
            for (int message = -PLAIN_WARM_UP; message < messages; message++) {
                var start = System.nanoTime();
                insert.setString(1, Backlog.QUEUE);
                insert.setString(2, "a message");
                insert.setLong(3, 0);
                insert.executeUpdate();
                var claimed = raw.claimed(1);
                if (message >= 0) {
                    micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
                }
                raw.settle(claimed);
            }
        }
        return micros;
    }

    private static void addFigures(Findings findings, Database database, String who, Histogram micros) {
        for (int percentile : PERCENTILES) {
            findings.figure(id(database, who, percentile), micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI);
        }
    }

    private static void addPoints(Findings findings, Database database, String series, Histogram micros) {
        for (var percentile : List.of(50.0, 90.0, 99.0, 99.9, 100.0)) {
            var millis = micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
            var place = percentile == 100 ? "max" : "p" + Figure.text(percentile);
            findings.point(new Point(Chart.WAKE, database, series, place, millis));
        }
    }

    static AutoCloseable notifications(Database database, DSLContext dsl) {
        return database == Database.POSTGRESQL ? Notifications.open(dsl) : () -> {};
    }

    static Queue<String> queue(DSLContext dsl) {
        return Queue.of(dsl, ManagedQueue.ofText(), Backlog.QUEUE);
    }

    /** Who writes. */
    private enum Writer {
        SAME_PROCESS("same-process", "same process"),
        OTHER_PROCESS("other-process", "other process"),
        PLAIN_SQL("other-process.plain-sql", "other process, plain SQL and a trigger");

        private final String id;
        private final String label;

        Writer(String id, String label) {
            this.id = id;
            this.label = label;
        }

        /** Whether it can wake a worker before its next poll. */
        boolean isFor(Database database) {
            return switch (this) {
                case SAME_PROCESS -> true;
                case OTHER_PROCESS -> database == Database.POSTGRESQL || database == Database.SQLITE;
                case PLAIN_SQL -> database == Database.POSTGRESQL;
            };
        }
    }
}
