package dev.dibs.benchmarks;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;

import dev.dibs.Queue;
import dev.dibs.postgres.Notifications;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.wake.Announcement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * Milliseconds from before an insert until its handler starts, for messages one at a time with the system idle.
 *
 * <p>Arguments: the database, the number of messages, and who writes them: {@code same} is a queue of the worker's own
 * DSLContext; {@code enqueue} one of another, with another pool, as another process has; {@code on-demand} and {@code always}
 * are plain SQL on a connection of its own, on a table that announces its inserts so; {@code sql} the same without.
 */
public final class WakeLatency {

    private static final int WARM_UP = 300;
    private static final int CONNECTIONS = 4;
    private static final long PAUSE_NANOS = 20_000_000;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final String INSERT =
            "insert into dibs_message (queue, payload) values ('" + Backlog.QUEUE + "', ?)";

    private final BlockingQueue<Long> started = new LinkedBlockingQueue<>();

    private WakeLatency() {}

    /** Measures and prints percentiles. */
    public static void main(String[] args) throws Exception {
        var database = Database.of(args[0]);
        var messages = Integer.parseInt(args[1]);
        new WakeLatency().measure(database, messages, args[2]);
    }

    @SuppressWarnings("try") // they work until they are closed
    private void measure(Database database, int messages, String writer) throws Exception {
        var address = database.create();
        try (var pool = address.pool(CONNECTIONS);
                var otherPool = address.pool(CONNECTIONS)) {
            QueueSchema.migrate(pool);
            switch (writer) {
                case "on-demand" -> QueueSchema.announce(pool, DIBS_MESSAGE, Announcement.ON_DEMAND);
                case "always" -> QueueSchema.announce(pool, DIBS_MESSAGE, Announcement.ALWAYS);
                default -> {}
            }
            var dsl = DSL.using(pool, address.dialect());
            var otherDsl = DSL.using(otherPool, address.dialect());
            try (var listening = notifications(database, dsl);
                    var notifying = notifications(database, otherDsl);
                    var worker = queue(dsl).worker().consume(payload -> started.add(System.nanoTime()));
                    var writing = otherPool.getConnection();
                    var insert = writing.prepareStatement(INSERT)) {
                report(
                        database,
                        writer,
                        nanos(
                                messages,
                                switch (writer) {
                                    case "same" -> writing(queue(dsl));
                                    case "enqueue" -> writing(queue(otherDsl));
                                    default ->
                                        payload -> {
                                            insert.setString(1, payload);
                                            insert.execute();
                                        };
                                }));
            }
        }
    }

    private static AutoCloseable notifications(Database database, DSLContext dsl) {
        return database == Database.POSTGRESQL ? Notifications.open(dsl) : () -> {};
    }

    private static Queue<String> queue(DSLContext dsl) {
        return Queue.of(dsl, ManagedQueue.ofText(), Backlog.QUEUE);
    }

    private static Writer writing(Queue<String> queue) {
        return queue::enqueue;
    }

    private Nanos nanos(int messages, Writer writer) throws Exception {
        var nanos = new Nanos(new ArrayList<>(), new ArrayList<>());
        for (int message = -WARM_UP; message < messages; message++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            var written = System.nanoTime();
            writer.write("m");
            var inserted = System.nanoTime();
            var handled = started.take();
            if (message >= 0) {
                nanos.toStart().add(handled - written);
                nanos.ofInsert().add(inserted - written);
            }
        }
        return nanos;
    }

    private static void report(Database database, String writer, Nanos nanos) {
        report(database, writer + ", insert", nanos.ofInsert());
        report(database, writer + ", start", nanos.toStart());
    }

    private static void report(Database database, String what, List<Long> nanos) {
        Collections.sort(nanos);
        System.out.printf(
                "%-10s %-20s p50 %6.2f  p90 %6.2f  p99 %6.2f  max %7.2f ms%n",
                database,
                what,
                percentile(nanos, 0.5),
                percentile(nanos, 0.9),
                percentile(nanos, 0.99),
                percentile(nanos, 1));
    }

    private static double percentile(List<Long> sorted, double part) {
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(sorted.size() * part))) / NANOS_PER_MILLI;
    }

    /** Of each message: until its insert was committed and answered, and until its handler started. */
    private record Nanos(List<Long> ofInsert, List<Long> toStart) {}

    /** Writes a message and commits it. */
    @FunctionalInterface
    private interface Writer {
        void write(String payload) throws SQLException;
    }
}
