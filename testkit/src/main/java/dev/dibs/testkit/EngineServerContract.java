package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Outcome;
import dev.dibs.QueueEvents;
import dev.dibs.WorkerState.Kind;
import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** The same on a server, which can freeze. */
public abstract class EngineServerContract extends EngineContract {

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

    /** The contract on a database, in a form. */
    protected EngineServerContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    /** While a claim locks rows, the settlement of the message before it deletes one of them. */
    @Test
    void noClaimFailsWhileMessagesComeOneAfterTheOther() throws Exception {
        var failures = new ConcurrentLinkedQueue<Throwable>();
        var handled = new Semaphore(0);
        var queue = queue();
        opened.add(queue.worker()
                .events(new QueueEvents() {
                    @Override
                    public void claimFailed(String name, Throwable failure) {
                        failures.add(failure);
                    }
                })
                .consume(payload -> handled.release()));

        for (int number = 0; number < 500; number++) {
            queue.enqueue("message " + number);
            assertThat(handled.tryAcquire(Recorder.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }

        assertThat(failures).isEmpty();
    }

    /** C19: a server that freezes holds no thread for ever; the worker says so, and goes on by itself. */
    @Test
    void c19AWorkerWhoseServerFreezesSaysSoAndGoesOn() throws Exception {
        var proxy = new FreezingProxy(address);
        opened.add(proxy);
        var behind = Instance.at(proxy.address(), 8);
        opened.add(behind);
        var worker = behind.queue(table(), "mail", TimeSource.database())
                .worker()
                .pollInterval(POLL)
                .answerTimeout(ANSWER_TIMEOUT)
                .events(recorder)
                .consume(payload -> {});
        opened.add(worker);
        recorder.await("claimed");

        proxy.freeze();
        queue().enqueue("during the frost");
        recorder.await("claimFailed");
        assertThat(worker.state().kind()).isEqualTo(Kind.DEGRADED);
        proxy.thaw();

        recorder.await("done");

        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> worker.state().kind() == Kind.RUNNING);
    }

    @Test
    void aHandlersStatementsMayTakeLongerThanAnAnswerToTheWorker() throws Exception {
        var slow = DSL.function(dialect() == SQLDialect.POSTGRES ? "pg_sleep" : "sleep", Object.class, DSL.inline(1));
        queue().enqueue("slow");

        opened.add(queue().worker()
                .answerTimeout(Duration.ofMillis(500))
                .events(recorder)
                .transact((tx, delivery) -> {
                    tx.dsl().select(slow).fetch();
                    return Outcome.done();
                }));

        recorder.await("done");
    }
}
