package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.Worker;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import dev.dibs.wake.Signal;
import dev.dibs.wake.WakeAfterCommit;
import dev.dibs.wake.WakeRegistry;
import dev.dibs.wake.WakeRegistry.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What wakes a worker that would look again after a day only, in every lock form, on every database.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
@Timeout(120)
public abstract class WakeContract extends TableContract {

    private static final Duration NEVER = Duration.ofDays(1);

    /** On SQLite, while this process writes, one worker looks so often for what others may have written meanwhile. */
    private static final Duration LOOK_BESIDE_OWN_WRITES = Duration.ofMillis(100);

    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private JobTable jobs = new JobTable("wake_jobs");
    private JobTable dead = new JobTable("wake_jobs_dead");
    private DSLContext wired;
    private Queue<String> queue;

    /** The contract on a database, in a form. */
    protected WakeContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @BeforeEach
    void createTables() {
        jobs = jobs.create(here.dsl());
        dead = dead.create(here.dsl());
        wired = DSL.using(
                new DefaultConfiguration().set(here.pool()).set(dialect()).set(new WakeAfterCommit()));
        queue = queue(wired, "mail");
    }

    @Test
    void anEnqueueWakesASleepingWorker() throws Exception {
        sleeping(queue);

        queue.enqueue("at once");

        assertThat(take(handled)).isEqualTo("at once");
    }

    /** C11: of a message that is to come the worker knows when. */
    @Test
    void c11ADelayedMessageStartsWhenItIsDue() throws Exception {
        sleeping(queue);

        queue.enqueue(Message.of("later").delayed(Duration.ofMillis(300)));

        assertThat(take(handled)).isEqualTo("later");
    }

    /** C11: so it knows of one that another process has written, once it has seen it. */
    @Test
    void c11ADelayedMessageThatWasThereBeforeTheWorkerStartsWhenItIsDue() throws Exception {
        queue(instance().dsl(), "mail").enqueue(Message.of("later").priority(3).delayed(Duration.ofMillis(300)));

        sleeping(queue);

        assertThat(take(handled)).isEqualTo("later");
    }

    /** C11: a failed message is tried again when it is due. */
    @Test
    void c11AFailedMessageIsTriedAgainWhenItIsDue() throws Exception {
        opened.add(queue.worker()
                .pollInterval(NEVER)
                .retry(RetryPolicy.fixed(Duration.ofMillis(300)))
                .events(recorder)
                .handle(delivery -> {
                    handled.add(delivery.payload());
                    return delivery.attempt() == 1 ? Outcome.retry("not yet") : Outcome.done();
                }));

        queue.enqueue("twice");

        recorder.await("done");
        assertThat(handled).containsExactly("twice", "twice");
    }

    @Test
    void anEarlierMessageEndsTheWaitForALaterOne() throws Exception {
        sleeping(queue);

        queue.enqueue(Message.of("tomorrow").delayed(Duration.ofHours(12)));
        queue.enqueue(Message.of("soon").delayed(Duration.ofMillis(200)));

        assertThat(take(handled)).isEqualTo("soon");
    }

    @Test
    void aRowThatIsFreeAgainWithoutASignIsTaken() throws Exception {
        queue.enqueue("held");
        var ref = new QueueRef(table(), "mail", TimeSource.database());
        var claimed = Dialects.of(dialect())
                .claim(ref)
                .claim(ClaimRequest.of(instance().dsl(), ref, 1, Duration.ofMillis(500)))
                .orElseThrow();
        sleeping(queue);

        claimed.hold().close();

        assertThat(take(handled)).isEqualTo("held");
    }

    @Test
    void aTransactionThatCommitsWakesASleepingWorker() throws Exception {
        sleeping(queue);

        wired.transaction(tx -> queue.enqueue(tx, "committed"));

        assertThat(take(handled)).isEqualTo("committed");
    }

    @Test
    void manyMessagesOfATransactionWakeASleepingWorker() throws Exception {
        sleeping(queue);

        wired.transaction(tx -> queue.enqueueAll(tx, List.of("one", "two")));

        assertThat(List.of(take(handled), take(handled))).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void aNestedTransactionWakesWhenTheOneAroundItHasCommitted() throws Exception {
        sleeping(queue);

        wired.transaction(tx -> {
            tx.dsl().transaction(nested -> queue.enqueue(nested, "inside"));
            assertThat(handled).isEmpty();
        });

        assertThat(take(handled)).isEqualTo("inside");
    }

    @Test
    void aRollbackWakesNobody() throws Exception {
        var signal = new Signal();
        WakeRegistry.of(wired.configuration()).subscribe(new Channel(table().toString(), "mail"), signal);

        assertThatThrownBy(() -> wired.transaction(tx -> {
                    queue.enqueue(tx, "rolled back");
                    throw new IllegalStateException("so");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(signal.await(Duration.ZERO)).isFalse();
    }

    @Test
    void whatAHandlerEnqueuesInItsTransactionWakesOthersWhenItHasCommitted() throws Exception {
        var next = queue(wired, "next");
        sleeping(next);
        opened.add(queue.worker().pollInterval(NEVER).transact((tx, delivery) -> {
            next.enqueue(tx, delivery.payload() + ", next");
            return Outcome.done();
        }));

        queue.enqueue("first");

        assertThat(take(handled)).isEqualTo("first, next");
    }

    @Test
    void anEnqueueInATransactionThatTellsNobodyWarnsOnce() {
        var plain = queue(here.dsl(), "mail");

        try (var warnings = new Warnings()) {
            here.dsl().transaction(tx -> plain.enqueueAll(tx, List.of("one", "two")));
            here.dsl().transaction(tx -> plain.enqueue(tx, "three"));

            assertThat(warnings.all())
                    .singleElement()
                    .asString()
                    .contains("queue \"mail\"", "wake_jobs", "WakeAfterCommit", "wake()");
        }
    }

    @Test
    void aWakeByHandFollowsAnEnqueueInATransactionThatTellsNobody() throws Exception {
        var plain = queue(here.dsl(), "mail");
        sleeping(plain);

        here.dsl().transaction(tx -> plain.enqueue(tx, "by hand"));
        plain.wake();

        assertThat(take(handled)).isEqualTo("by hand");
    }

    @Test
    void oneMessageWakesOneOfManyIdleWorkers() throws Exception {
        var workers = new ArrayList<Worker>();
        for (int worker = 0; worker < 20; worker++) {
            workers.add(sleeping(queue));
        }
        recorder.mark();
        var began = System.nanoTime();

        queue.enqueue("for one of them");
        var claims = recorder.claimsFromMarkToDone();

        var looks = Duration.ofNanos(System.nanoTime() - began).dividedBy(LOOK_BESIDE_OWN_WRITES);
        workers.forEach(Worker::close);
        assertThat(handled).containsExactly("for one of them");
        assertThat((long) claims).isLessThanOrEqualTo(5 + looks);
    }

    @Test
    void aWorkerThatFindsMoreThanItCanTakeWakesAnother() throws Exception {
        var together = new CyclicBarrier(3);
        for (int worker = 0; worker < 3; worker++) {
            opened.add(queue.worker()
                    .pollInterval(NEVER)
                    .prefetch(0)
                    .events(recorder)
                    .consume(payload -> {
                        together.await();
                        handled.add(payload);
                    }));
            recorder.await("claimed");
        }

        queue.enqueueAll(List.of("one", "two", "three"));

        assertThat(List.of(take(handled), take(handled), take(handled)))
                .containsExactlyInAnyOrder("one", "two", "three");
    }

    @Test
    void aWorkerThatIsClosedLeavesItsWakesToOthers() throws Exception {
        var busy = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var closing = queue.worker().pollInterval(NEVER).prefetch(10).consume(payload -> {
            busy.countDown();
            release.await();
            handled.add(payload); // it may take another before it is closed
        });
        queue.enqueue("at work");
        busy.await();
        sleeping(queue);

        queue.enqueueAll(List.of("one", "two"));
        var closer = new Thread(closing::close);
        closer.start();
        release.countDown();

        assertThat(List.of(take(handled), take(handled), take(handled)))
                .containsExactlyInAnyOrder("at work", "one", "two");
        closer.join();
    }

    private Worker sleeping(Queue<String> of) throws InterruptedException {
        var worker = of.worker().pollInterval(NEVER).events(recorder).consume(handled::add);
        opened.add(worker);
        recorder.await("claimed");
        return worker;
    }

    private Queue<String> queue(DSLContext dsl, String name) {
        return Queue.of(dsl, table(), name);
    }

    private QueueTable<String> table() {
        return jobs.mapped(form, dead);
    }
}
