package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Outcome;
import dev.dibs.QueueEvents;
import dev.dibs.RetryPolicy;
import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is promised of a message whose connections are cut, on each database with a server.
 *
 * <p>All connections are cut, once: after the claim, while the handler runs, or when it has written its effect.
 */
public abstract class CutConnectionContract {

    private static final Table<Record> LEDGER = DSL.table(DSL.name("ledger"));
    private static final Field<Integer> ENTRY = DSL.field(DSL.name("ledger", "entry"), SQLDataType.INTEGER);
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final TestDatabase database;

    /** The contract on a server. */
    protected CutConnectionContract(TestDatabase database) {
        this.database = database;
    }

    private enum Step {
        CLAIMED,
        HANDLING,
        WRITTEN
    }

    static Stream<Arguments> formsAndSteps() {
        return Arrays.stream(LockForm.values())
                .flatMap(form -> Arrays.stream(Step.values()).map(step -> Arguments.of(form, step)));
    }

    @ParameterizedTest
    @MethodSource("formsAndSteps")
    @SuppressWarnings("try") // the worker works until it is closed
    void aMessageTakesEffectOnceThoughItsConnectionsAreCut(LockForm form, Step step) throws Exception {
        var address = database.newDatabase();
        try (var administrator = Instance.at(address, 1);
                var instance = Instance.at(address, 4)) {
            var jobs = new JobTable("jobs").create(instance.dsl());
            var dead = new JobTable("jobs_dead").create(instance.dsl());
            instance.dsl().createTable(LEDGER).columns(ENTRY).execute();
            var queue = instance.queue(jobs.mapped(form, dead), "mail", TimeSource.database());
            queue.enqueue("once");
            var cuts = new AtomicInteger();
            var done = new CountDownLatch(1);
            Cut cut = at -> {
                if (at == step && cuts.getAndIncrement() == 0) {
                    Sessions.killOthers(administrator.dsl());
                }
            };

            try (var worker = queue.worker()
                    .lease(LEASE)
                    .pollInterval(Duration.ofMillis(100))
                    .retry(RetryPolicy.fixed(Duration.ofMillis(10)))
                    .events(new QueueEvents() {
                        @Override
                        public void claimed(String name, int rows) {
                            if (rows > 0) {
                                cut.at(Step.CLAIMED);
                            }
                        }

                        @Override
                        public void done(String name, Object id, Duration handling) {
                            done.countDown();
                        }
                    })
                    .transact((tx, delivery) -> {
                        cut.at(Step.HANDLING);
                        tx.dsl()
                                .insertInto(LEDGER, ENTRY)
                                .values(delivery.attempt())
                                .execute();
                        cut.at(Step.WRITTEN);
                        return Outcome.done();
                    })) {
                assertThat(done.await(30, TimeUnit.SECONDS))
                        .as("the message is done")
                        .isTrue();
            }

            assertThat(cuts).hasPositiveValue();
            assertThat(administrator.dsl().fetchCount(LEDGER)).isOne();
            assertThat(administrator.dsl().fetchCount(jobs)).isZero();
            assertThat(administrator.dsl().fetchCount(dead)).isZero();
        }
    }

    /** Cuts all connections when the step is the one. */
    private interface Cut {
        void at(Step step);
    }
}
