package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Outcome;
import dev.dibs.Outcomes;
import dev.dibs.RetryPolicy;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.QueueRef;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The same on a server, whose answers can get lost, and which locks single rows. */
public abstract class KeepingServerContract extends KeepingContract {

    private static final int MOST_UNWRITTEN = 2_000;

    private static final int BEHIND_A_PROXY = 3;

    private static final Duration ANSWER = Duration.ofSeconds(1);

    /** The contract on a database. */
    protected KeepingServerContract(TestDatabase database) {
        super(database);
    }

    @Test
    void aSettlementWithoutAnAnswerThatCannotBeLookedUpWhileItsLeaseLastsIsUnknown() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        queue.enqueue("written, perhaps");
        opened.add(queue.worker().lease(SHORT_LEASE).events(recorder).consume(payload -> {
            switched.off();
            switched.loseAnswerTo(KeepingContract::isDelete);
        }));

        recorder.await("unknown");

        switched.on();
    }

    @Test
    void handlersWaitWhileMoreOutcomesAreUnwrittenThanTheWorkerKeeps() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        var handled = new AtomicInteger();
        queue.enqueueAll(numbered(MOST_UNWRITTEN + 200));
        var held = switched.holdBack(KeepingContract::isDelete);

        opened.add(queue.worker().prefetch(1_000).events(recorder).consume(payload -> handled.incrementAndGet()));
        held.reached().await();
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> handled.get() > MOST_UNWRITTEN);

        assertThat(handled).as("and one that the handler has in hand").hasValue(MOST_UNWRITTEN + 1);
        held.letGo().countDown();
        recorder.awaitSettled(MOST_UNWRITTEN + 200);
    }

    /** C19: connections that swallow what is sent hold no handler's transaction for ever. */
    @Test
    void c19AMessageIsDoneThoughTheConnectionOfItsTransactionSwallowsWhatIsSent() throws Exception {
        var proxy = new FreezingProxy(address);
        opened.add(proxy);
        var behind = Instance.filled(proxy.address(), BEHIND_A_PROXY);
        opened.add(behind);
        var pool = behind.pool();
        pool.setValidationTimeout(ANSWER.toMillis());
        // One that is being made when its bytes are swallowed would hold up the only thread that makes them.
        Awaitility.await()
                .atMost(Recorder.PATIENCE)
                .until(() -> pool.getHikariPoolMXBean().getTotalConnections() == BEHIND_A_PROXY);
        var abandoned = new AtomicBoolean();
        queue().enqueue("done in the end");

        opened.add(behind.queue(table(), "mail", TimeSource.database())
                .worker()
                .lease(KEPT_LEASE)
                .pollInterval(POLL)
                .retry(RetryPolicy.fixed(POLL))
                .answerTimeout(ANSWER)
                .events(recorder)
                .transact((tx, delivery) -> {
                    if (abandoned.compareAndSet(false, true)) {
                        proxy.abandonConnections();
                    }
                    return Outcome.done();
                }));

        recorder.await("done");
    }

    @Test
    void aRowLostDuringItsBurialDoesNotTakeItsBatchAlong() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        queue.enqueueAll(List.of("rejected", "done"));
        var held = switched.holdBack(KeepingContract::isDelete);
        opened.add(queue.worker()
                .events(recorder)
                .handleAll(2, deliveries -> Outcomes.each(List.of(Outcome.reject("unwanted"), Outcome.done()))));
        held.reached().await();

        takeOver("rejected");
        held.letGo().countDown();

        recorder.await("lost");
        recorder.awaitSettled(1);
        assertThat(recorder.done()).hasSize(1);
    }

    @Test
    void rowsThatSomebodyHasLockedAreToBeExtendedAgainSoon() {
        var queue = new QueueRef(table(), "mail", TimeSource.database());
        queue().enqueueAll(numbered(2));
        var claimed = Dialects.of(dialect())
                .claim(queue)
                .claim(ClaimRequest.of(here.dsl(), queue, 2, KEPT_LEASE))
                .orElseThrow();
        var locked = claimed.rows().get(0);

        var isExtended = here.dsl().transactionResult(tx -> {
            tx.dsl()
                    .selectOne()
                    .from(queue.from())
                    .where(queue.table().id().eq(locked.get(queue.table().id())))
                    .forUpdate()
                    .fetch();
            return claimed.hold().extend(instance().dsl(), claimed.rows());
        });

        assertThat(isExtended).isFalse();
        assertThat(claimed.rows()).noneMatch(claimed.hold()::isLost);
        assertThat(claimed.hold().extend(here.dsl(), List.of(locked))).isTrue();
    }
}
