package dev.dibs.benchmarks;

import dev.dibs.Queue;
import dev.dibs.testkit.Address;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jooq.impl.DSL;

/**
 * Writes messages one at a time, in the end on a fixed schedule, whatever becomes of them; each one's payload is the microsecond at which it was to be
 * written, by the clock that the processes of this machine share.
 */
final class WakeWriter {

    static final String URL = "DIBS_BENCHMARKS_URL";
    static final String USER = "DIBS_BENCHMARKS_USER";
    static final String PASSWORD = "DIBS_BENCHMARKS_PASSWORD";

    private static final long INTERVAL_MICROS = TimeUnit.MILLISECONDS.toMicros(20);
    private static final int CONNECTIONS = 2;

    private final Queue<String> queue;

    WakeWriter(Queue<String> queue) {
        this.queue = queue;
    }

    /** Another process: its arguments are the database and the number of messages. */
    @SuppressWarnings("try") // it announces until it is closed
    public static void main(String[] args) throws Exception {
        var database = Database.of(args[0]);
        var address = new Address(System.getenv(URL), System.getenv(USER), System.getenv(PASSWORD), database.dialect());
        try (var pool = address.pool(CONNECTIONS)) {
            var dsl = DSL.using(pool, address.dialect());
            try (var notifying = WakeLatency.notifications(database, dsl)) {
                new WakeWriter(WakeLatency.queue(dsl)).write(Integer.parseInt(args[1]));
            }
        }
    }

    /** Writes so many to warm up, of which a late one delays those after it, and as many on a fixed schedule. */
    void write(int messages) {
        for (int message = 0; message < messages; message++) {
            write(micros() + INTERVAL_MICROS);
        }
        var start = micros();
        for (int message = 1; message <= messages; message++) {
            write(start + message * INTERVAL_MICROS);
        }
    }

    private void write(long due) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(due - micros()));
        queue.enqueue(Long.toString(due));
    }

    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
