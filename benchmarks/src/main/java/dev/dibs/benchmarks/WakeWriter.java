package dev.dibs.benchmarks;

import dev.dibs.testkit.Address;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * Writes messages one at a time: many to warm up, and then on a fixed schedule, whatever becomes of them. Each one's payload is the
 * microsecond at which it was to be written, by the clock that the processes of this machine share.
 */
final class WakeWriter {

    static final String URL = "DIBS_BENCHMARKS_URL";
    static final String USER = "DIBS_BENCHMARKS_USER";
    static final String PASSWORD = "DIBS_BENCHMARKS_PASSWORD";

    /** The argument of a process that knows nothing of Dibs. */
    static final String PLAIN_SQL = "plain-sql";

    /** Messages before those that count, so that the JVMs on both sides have compiled what they do. */
    static final int WARM_UP = 2_000;

    private static final long WARM_UP_INTERVAL_MICROS = TimeUnit.MILLISECONDS.toMicros(2);
    private static final long PAUSE_MICROS = TimeUnit.MILLISECONDS.toMicros(500);
    private static final long INTERVAL_MICROS = TimeUnit.MILLISECONDS.toMicros(20);
    private static final int CONNECTIONS = 2;

    private final Writing writing;

    private WakeWriter(Writing writing) {
        this.writing = writing;
    }

    /** Writes by Dibs. */
    static WakeWriter enqueueing(DSLContext dsl) {
        var queue = WakeLatency.queue(dsl);
        return new WakeWriter(queue::enqueue);
    }

    private static WakeWriter inserting(DataSource pool) {
        return new WakeWriter(payload -> {
            try (var connection = pool.getConnection();
                    var insert = connection.prepareStatement(EnqueueBenchmark.INSERT)) {
                insert.setString(1, Backlog.QUEUE);
                insert.setString(2, payload);
                insert.setLong(3, micros());
                insert.executeUpdate();
            }
        });
    }

    /** Another process: its arguments are the database, the number of messages, and how they are written. */
    @SuppressWarnings("try") // it announces until it is closed
    public static void main(String[] args) throws Exception {
        var database = Database.of(args[0]);
        var messages = Integer.parseInt(args[1]);
        var address = new Address(System.getenv(URL), System.getenv(USER), System.getenv(PASSWORD), database.dialect());
        try (var pool = address.pool(CONNECTIONS)) {
            if (args[2].equals(PLAIN_SQL)) {
                inserting(pool).write(messages);
                return;
            }
            var dsl = DSL.using(pool, address.dialect());
            try (var notifying = WakeLatency.notifications(database, dsl)) {
                enqueueing(dsl).write(messages);
            }
        }
    }

    /** Writes so many on a fixed schedule, after those that warm up, of which a late one delays those after it. */
    void write(int messages) throws SQLException {
        for (int message = 0; message < WARM_UP; message++) {
            write(micros() + WARM_UP_INTERVAL_MICROS);
        }
        var start = micros() + PAUSE_MICROS;
        for (int message = 0; message < messages; message++) {
            write(start + message * INTERVAL_MICROS);
        }
    }

    private void write(long due) throws SQLException {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(due - micros()));
        writing.write(Long.toString(due));
    }

    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Writes a message, and commits. */
    @FunctionalInterface
    private interface Writing {
        void write(String payload) throws SQLException;
    }
}
