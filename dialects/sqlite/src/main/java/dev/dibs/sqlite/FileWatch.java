package dev.dibs.sqlite;

import dev.dibs.spi.Listening;
import dev.dibs.wake.Signal;
import dev.dibs.wake.WakeRegistry.Sleepers;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few milliseconds whether somebody has committed to a file, by {@code PRAGMA data_version}, and wakes the workers
 * of its queues then. One thread and one connection of its own for each file of the process, as long as workers listen.
 *
 * <p>The number tells neither who has written nor what; see {@link Changes}.
 */
final class FileWatch implements Runnable {

    /** Half of it is how late a wake-up is, on average; a look takes some millionths of a second. */
    static final Duration INTERVAL = Duration.ofMillis(4);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    // One for each file of the process: pools that know nothing of each other share it.
    private static final Map<String, FileWatch> WATCHES = new ConcurrentHashMap<>();

    private final String url;
    private final String file;
    private final Map<Sleepers, Integer> listeners = new ConcurrentHashMap<>();
    private final Signal begun = new Signal();
    private final Signal ended = new Signal();
    private volatile boolean isBeginAwaited = true;
    private boolean isFailing;
    private volatile boolean closed;

    private FileWatch(String url, String file) {
        this.url = url;
        this.file = file;
    }

    /** Listens to the file that the connections have open; memory has no other processes. */
    static Listening listen(DSLContext dsl, Sleepers sleepers) {
        var url = dsl.connectionResult(connection -> connection.getMetaData().getURL());
        var database = Database.of(url);
        if (database.isMemory()) {
            return () -> {};
        }
        var file = database.name();
        WATCHES.compute(file, (name, present) -> watching(present, url, name).and(sleepers));
        var open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                WATCHES.computeIfPresent(file, (name, watch) -> watch.without(sleepers));
            }
        };
    }

    private static FileWatch watching(@Nullable FileWatch present, String url, String file) {
        if (present != null) {
            return present;
        }
        var watch = new FileWatch(url, file);
        var thread = new Thread(watch, "queue-watch-" + file);
        thread.setDaemon(true);
        thread.start();
        watch.awaitBegin();
        return watch;
    }

    // Before whoever listens first looks, so that it misses nothing; for a thread of the application's, which may be
    // interrupted.
    private void awaitBegin() {
        try {
            begun.await(AFTER_FAILURE);
        } catch (InterruptedException kept) {
            Thread.currentThread().interrupt();
        }
        isBeginAwaited = false;
    }

    private FileWatch and(Sleepers sleepers) {
        listeners.merge(sleepers, 1, Integer::sum);
        return this;
    }

    private @Nullable FileWatch without(Sleepers sleepers) {
        listeners.computeIfPresent(sleepers, (key, times) -> times == 1 ? null : times - 1);
        if (!listeners.isEmpty()) {
            return this;
        }
        closed = true;
        ended.wake();
        return null;
    }

    @Override
    public void run() {
        while (!closed) {
            try (var connection = DriverManager.getConnection(url);
                    var version = connection.prepareStatement("pragma data_version")) {
                watch(version);
            } catch (SQLException | RuntimeException | Error failed) { // nothing ends it but its close
                tell(failed);
                ended.awaitUninterruptibly(AFTER_FAILURE);
            }
        }
    }

    // Once, until it is watched again.
    private void tell(Throwable failed) {
        if (!isFailing) {
            LOG.warn(
                    "the file {} cannot be watched for what other processes write, which is found by polling until it can: {}",
                    file,
                    failed.getMessage());
        }
        isFailing = true;
    }

    private void watch(PreparedStatement version) throws SQLException {
        var changes = new Changes(read(version), SqliteWriter.commits(file), System.nanoTime());
        isFailing = false;
        begun.wake();
        if (!isBeginAwaited) { // workers have looked before it
            wakeAll();
        }
        while (!closed) {
            ended.awaitUninterruptibly(INTERVAL);
            if (changes.areToBeTold(read(version), SqliteWriter.commits(file), System.nanoTime())) {
                wakeAll();
            }
        }
    }

    private void wakeAll() {
        listeners.keySet().forEach(Sleepers::wake);
    }

    private static long read(PreparedStatement version) throws SQLException {
        try (var row = version.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
