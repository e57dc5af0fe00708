package dev.dibs.benchmarks;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.testkit.Address;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/**
 * JobRunr's open-source edition, with the shortest poll interval that it takes. It finds the method to call by reflection, so that
 * what counts is one for the whole JVM.
 */
public final class JobRunrContestant implements Contestant {

    private static volatile IntConsumer handled = count -> {};
    private static final Duration SHORTEST_POLL = Duration.ofSeconds(5);
    private static final int SPARE_CONNECTIONS = 8;

    private final HikariDataSource pool;
    private final int workers;
    private final JacksonJsonMapper json = new JacksonJsonMapper();
    private final StorageProvider storage;
    private final JobScheduler scheduler;

    JobRunrContestant(Address address, int workers) {
        this.pool = address.pool(workers + SPARE_CONNECTIONS);
        this.workers = workers;
        this.storage = new PostgresStorageProvider(pool);
        storage.setJobMapper(new JobMapper(json));
        this.scheduler = new JobScheduler(storage);
    }

    /** The handler, which JobRunr calls. */
    public static void handle(int message) {
        handled.accept(1);
    }

    @Override
    public void enqueue(int messages) {
        scheduler.<Integer>enqueue(IntStream.range(0, messages).boxed(), message -> JobRunrContestant.handle(message));
    }

    @Override
    public AutoCloseable start(IntConsumer listener) {
        handled = listener;
        var server = new BackgroundJobServer(
                storage,
                json,
                null,
                usingStandardBackgroundJobServerConfiguration()
                        .andWorkerCount(workers)
                        .andPollInterval(SHORTEST_POLL));
        server.start();
        return server::stop;
    }

    @Override
    public long left() throws SQLException {
        return Sql.count(pool, "select count(*) from jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING')");
    }

    @Override
    public void close() {
        scheduler.shutdown();
        storage.close();
        pool.close();
    }
}
