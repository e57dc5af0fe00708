package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker whose claims find nothing. */
final class WorkerTest {

    private static final EmailJobs JOBS = new EmailJobs();

    private final ExecutorService threads = Executors.newSingleThreadExecutor();
    private final Worker worker = worker(threads);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void anInterruptEndsTheWaitOfACloseAndNotTheDrain() {
        worker.start();
        Thread.currentThread().interrupt();

        worker.close(Duration.ofSeconds(10));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(threads.isShutdown()).isTrue();
    }

    @Test
    @Timeout(10)
    void aDeadlineMayBeAsLongAsADurationCanBe() throws InterruptedException {
        worker.start();

        worker.close(Duration.ofSeconds(Long.MAX_VALUE));

        worker.join();
        assertThat(threads.isShutdown()).isTrue();
    }

    private static Worker worker(ExecutorService threads) {
        var dsl = DSL.using(SQLDialect.DEFAULT);
        var table = QueueTable.of(JOBS, JOBS.id, JOBS.payload);
        var queue = new QueueRef(table, "emails", TimeSource.database());
        var columns = RowColumns.of(table);
        var events = new EventSink(new QueueEvents() {});
        var judgement = new Judgement(queue, RetryPolicy.ofDefaults());
        var settlement = new Settlement(dsl, queue, columns, judgement, events);
        UserCode<String> code = UserCode.handling(delivery -> Outcome.done());
        var slots = new Slots(1, threads);
        var work = new ClaimLoop.Work(
                slots,
                1,
                new Handling<>(dsl, "emails", code, new BatchReader<>(queue, columns, judgement), settlement),
                settlement,
                events);
        var loop = new ClaimLoop(
                request -> Optional.empty(),
                ClaimRequest.of(dsl, queue, 1, Duration.ofSeconds(30)),
                Duration.ofMinutes(5),
                work);
        return new Worker(queue, loop, slots, new Worker.Settings(Duration.ofSeconds(30), () -> {}, false));
    }
}
