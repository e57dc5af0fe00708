package dev.dibs.benchmarks;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.testkit.Address;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/**
 * JobRunr's open-source edition, with the shortest poll interval that it takes. One server lasts for all rounds, and is paused
 * between them. It finds the method to call by reflection, so that what counts is one for the whole JVM.
 */
public final class JobRunrContestant implements Contestant {

    private static volatile IntConsumer handled = count -> {};
    private static final Duration SHORTEST_POLL = Duration.ofSeconds(5);
    private static final int SPARE_CONNECTIONS = 8;

    private final HikariDataSource pool;
    private final StorageProvider storage;
    private final JobScheduler scheduler;
    private final BackgroundJobServer server;

    JobRunrContestant(Address address, int workers) {
        this.pool = address.pool(workers + SPARE_CONNECTIONS);
        this.storage = new PostgresStorageProvider(pool);
        var json = new JacksonJsonMapper();
        storage.setJobMapper(new JobMapper(json));
        this.scheduler = new JobScheduler(storage);
        this.server = new BackgroundJobServer(
                storage,
                json,
                null,
                usingStandardBackgroundJobServerConfiguration()
                        .andWorkerCount(workers)
                        .andPollInterval(SHORTEST_POLL));
        server.start();
        server.pauseProcessing();
    }

    /** The handler, which JobRunr calls. */
    public static void handle(int message) {
        handled.accept(1);
    }

    @Override
    public void enqueue(int messages) {
        scheduler.<Integer>enqueue(IntStream.range(0, messages).boxed(), message -> JobRunrContestant.handle(message));
    }

    // A server that was paused is idle until its next poll, which would be in the time that is measured.
    @Override
    public AutoCloseable start(IntConsumer listener) throws InterruptedException {
        var isAtWork = new CountDownLatch(1);
        handled = count -> {
            isAtWork.countDown();
            listener.accept(count);
        };
        server.resumeProcessing();
        isAtWork.await(SHORTEST_POLL.toMillis(), TimeUnit.MILLISECONDS);
        return server::pauseProcessing;
    }

    @Override
    public long left() throws SQLException {
        return Sql.count(pool, "select count(*) from jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING')");
    }

    @Override
    public void close() {
        server.stop();
        scheduler.shutdown();
        storage.close();
        pool.close();
    }
}
