package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Delivery;
import dev.dibs.Outcome;
import dev.dibs.RetryPolicy;
import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/**
 * What the row lock form promises, on every database that has it.
 *
 * <p>A dialect extends it with a class that names its database; the list of these classes is the support matrix.
 */
public abstract class RowLockContract extends OrderContract {

    /** The contract on a database. */
    protected RowLockContract(TestDatabase database) {
        super(database, LockForm.ROW_LOCK);
    }

    @Test
    void aMessageInWorkIsNotClaimedByAnybodyElse() throws Exception {
        var queue = here.queue(table, "mail", time);
        var started = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        queue.enqueue("held");
        opened.add(queue.worker().events(recorder).consume(payload -> {
            started.countDown();
            mayEnd.await();
        }));
        started.await();
        var other = new Recorder();
        opened.add(instance()
                .queue(table, "mail", time)
                .worker()
                .pollInterval(POLL)
                .events(other)
                .consume(payload -> {}));

        assertThat(other.await("claimed").detail()).isEqualTo("0");
        assertThat(other.await("claimed").detail()).isEqualTo("0");
        mayEnd.countDown();
        recorder.await("done");
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void aKilledWorkersMessageComesBackAtOnceAndHasSpentNoAttempt() throws Exception {
        var queue = here.queue(table, "mail", TimeSource.database());
        queue.enqueue("survivor");
        var doomed = DoomedWorker.start(address, jobs, LockForm.ROW_LOCK, Duration.ofDays(1));
        doomed.awaitClaim();
        doomed.kill();
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        opened.add(queue.worker().pollInterval(POLL).events(recorder).handle(delivery -> {
            deliveries.add(delivery);
            return Outcome.done();
        }));

        recorder.await("done");

        assertThat(take(deliveries)).returns("survivor", Delivery::payload).returns(1, Delivery::attempt);
    }

    @Test
    void aDeadLetterThatAnotherOneHoldsForAMomentIsReplayed() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = new Instance(here.pool(), DSL.using(switched.dataSource(), address.dialect()))
                .queue(table, "mail", time);
        var id = queue.enqueue("dead for now").id();
        var worker = queue.worker().events(recorder).handle(delivery -> Outcome.reject("not now"));
        recorder.await("deadLettered");
        worker.close();
        var secondLook = switched.holdBack(sql -> sql.contains("exists"));

        var replayed = here.dsl().transactionResult(tx -> {
            tx.dsl().selectFrom(dead).forUpdate().fetch();
            var replaying =
                    CompletableFuture.supplyAsync(() -> queue.deadLetters().replay(id));
            secondLook.reached().await();
            return replaying;
        });
        secondLook.letGo().countDown();

        assertThat(replayed.get()).isTrue();
        assertThat(rows(jobs)).hasSize(1);
    }

    /** C33: a failing message neither spins nor keeps the others waiting. */
    @Test
    void c33APoisonousMessageIsCountedDelayedAndBuriedWhileGoodOnesAreDone() throws Exception {
        var queue = here.queue(table, "mail", TimeSource.database());
        var messages = new ArrayList<>(List.of("poison"));
        messages.addAll(numbered(20));
        queue.enqueueAll(messages);
        var attempts = new LinkedBlockingQueue<Integer>();
        var worker = queue.worker()
                .pollInterval(POLL)
                .retry(RetryPolicy.fixed(Duration.ofMillis(100)).attempts(3))
                .events(recorder)
                .handle(delivery -> {
                    if (delivery.payload().equals("poison")) {
                        attempts.add(delivery.attempt());
                        throw new IllegalStateException("always");
                    }
                    return Outcome.done();
                });
        opened.add(worker);

        recorder.await("done", 20);
        awaitRows(dead, rows -> rows.size() == 1);
        worker.close();

        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(rows(jobs)).isEmpty();
        assertThat(rows(dead))
                .singleElement()
                .satisfies(row -> assertThat(row.get(dead.tries)).isEqualTo(3));
    }

    @Test
    void anEndedWorkerLeavesNoConnectionInATransaction() throws Exception {
        var instance = instance();
        instance.queue(table, "mail", time).enqueueAll(numbered(10));
        var worker = instance.queue(table, "mail", time)
                .worker()
                .concurrency(3)
                .events(recorder)
                .consume(payload -> {});
        recorder.await("done", 10);
        worker.close();

        assertThat(instance.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
        assertThat(rows(jobs)).isEmpty();
    }
}
