package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is promised of messages while connections and processes are killed at random, on every database.
 *
 * <p>It lasts some seconds, or as long as DIBS_TEST_SOAK says, such as PT10M.
 */
public abstract class SoakContract extends TableContract {

    private static final Setting SOAK = Setting.of("soak");
    private static final Duration LASTING = SOAK.value().map(Duration::parse).orElse(Duration.ofSeconds(15));

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int MESSAGES_A_ROUND = 100;
    private static final int MOST_BEHIND = 300;
    private static final int ROUNDS_A_PROCESS = 60;

    private final Random random = new Random();
    private JobTable jobs = new JobTable("soaked_jobs");
    private JobTable dead = new JobTable("soaked_jobs_dead");
    private int enqueued;

    /** The contract on a database. */
    protected SoakContract(TestDatabase database) {
        super(database, LockForm.LEASE);
    }

    @BeforeEach
    void createTables() {
        jobs = jobs.create(here.dsl());
        dead = dead.create(here.dsl());
        here.dsl().createTable(SoakWorker.LEDGER).columns(SoakWorker.ENTRY).execute();
        here.close();
    }

    @Test
    void eachMessageTakesEffectOnceThoughConnectionsAndAProcessAreKilledAgainAndAgain() throws Exception {
        for (int each = 0; each < 2; each++) {
            var instance = SoakWorker.instance(address);
            opened.add(instance);
            opened.add(SoakWorker.start(instance, jobs));
        }
        var end = System.nanoTime() + LASTING.toNanos();
        try (var administrator = Instance.at(address, 1)) { // whose connection is not killed
            while (System.nanoTime() < end) {
                killProcessAfterSomeRounds(administrator);
            }
            await(administrator, enqueued);
            Awaitility.await().atMost(PATIENCE).until(() -> count(administrator, jobs) == 0);

            assertThat(administrator
                            .dsl()
                            .select(SoakWorker.ENTRY)
                            .from(SoakWorker.LEDGER)
                            .orderBy(SoakWorker.ENTRY)
                            .fetch(SoakWorker.ENTRY))
                    .isEqualTo(IntStream.range(0, enqueued).boxed().toList());
            assertThat(count(administrator, dead)).isZero();
        }
    }

    private void killProcessAfterSomeRounds(Instance administrator) throws Exception {
        var process = SoakWorker.startProcess(address, jobs);
        try {
            for (int round = random.nextInt(ROUNDS_A_PROCESS); round < ROUNDS_A_PROCESS; round++) {
                enqueue(administrator);
                if (random.nextBoolean()) {
                    killOneConnection(administrator);
                }
                await(administrator, enqueued - MOST_BEHIND);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void enqueue(Instance administrator) {
        administrator
                .queue(jobs.mapped(LockForm.LEASE, dead), "mail", TimeSource.database())
                .enqueueAll(IntStream.range(enqueued, enqueued + MESSAGES_A_ROUND)
                        .mapToObj(Integer::toString)
                        .toList());
        enqueued += MESSAGES_A_ROUND;
    }

    private void killOneConnection(Instance administrator) {
        if (dialect() != SQLDialect.SQLITE) { // which has no server that could
            Sessions.killOne(administrator.dsl(), random);
        }
    }

    private static void await(Instance administrator, int entries) {
        Awaitility.await().atMost(PATIENCE).until(() -> count(administrator, SoakWorker.LEDGER) >= entries);
    }

    private static int count(Instance administrator, Table<?> table) {
        return administrator.dsl().fetchCount(table);
    }
}
