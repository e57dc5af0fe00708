package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.QueueRef;
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
        var queue = new QueueRef(QueueTable.of(JOBS, JOBS.id, JOBS.payload), "emails", TimeSource.database());
        var health = new Health(queue);
        var slots = new Slots(1, threads);
        var loop = new ClaimLoop(
                request -> Optional.empty(),
                ClaimRequest.of(dsl, queue, 1, Duration.ofSeconds(30)),
                new ClaimLoop.Waits(
                        Pace.steady(Duration.ofMillis(20)),
                        new NextReady(dsl, queue, JdbcTransaction.ofDriver()),
                        () -> {}),
                new NoIntake(),
                new ClaimLoop.Watch(health, new EventSink(new QueueEvents() {}), () -> {}));
        var engine = new Assembly.Engine(loop, slots, null, health, threads::shutdown);
        return new Worker(queue, engine, new Worker.Settings(Duration.ofSeconds(30), false, () -> false, () -> {}));
    }

    private record NoIntake() implements Intake {

        @Override
        public int awaitRoom() {
            return 1;
        }

        @Override
        public void take(Claimed claimed) {
            throw new IllegalStateException("the claims find nothing");
        }

        @Override
        public void close() {}
    }
}
