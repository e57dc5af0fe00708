package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Delivery;
import dev.dibs.Outcome;
import dev.dibs.QueueEvents;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/**
 * What the lease form promises, on every database.
 *
 * <p>A dialect extends it with a class that names its database; the list of these classes is the support matrix.
 */
public abstract class LeaseContract extends OrderContract {

    private static final Duration LEASE = Duration.ofSeconds(30);

    /** The contract on a database. */
    protected LeaseContract(TestDatabase database) {
        super(database, LockForm.LEASE);
    }

    @Test
    void aRowWhoseLeaseRanOutIsSettledByItsNewHolderOnly() throws Exception {
        var queue = here.queue(table, "mail", time);
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        var slowMayEnd = new CountDownLatch(1);
        queue.enqueue("slow");
        opened.add(queue.worker().lease(LEASE).events(recorder).handle(delivery -> {
            deliveries.add(delivery);
            slowMayEnd.await();
            return Outcome.done();
        }));
        take(deliveries);
        clock.advance(LEASE.plusSeconds(1));
        var other = new Recorder();
        var newHolderMayEnd = new CountDownLatch(1);
        opened.add(instance()
                .queue(table, "mail", time)
                .worker()
                .lease(LEASE)
                .events(other)
                .handle(delivery -> {
                    deliveries.add(delivery);
                    newHolderMayEnd.await();
                    return Outcome.done();
                }));
        var second = take(deliveries);

        slowMayEnd.countDown();
        recorder.await("lost");
        assertThat(rows(jobs)).hasSize(1);
        newHolderMayEnd.countDown();
        other.await("done");

        assertThat(second.attempt()).isEqualTo(2);
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void aRunningLeaseIsLeftAlone() throws Exception {
        var queue = here.queue(table, "mail", time);
        var mayEnd = new CountDownLatch(1);
        var started = new CountDownLatch(1);
        queue.enqueue("held");
        opened.add(queue.worker().lease(LEASE).events(recorder).consume(payload -> {
            started.countDown();
            mayEnd.await();
        }));
        started.await();
        clock.advance(LEASE.minusSeconds(1));
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
    }

    @Test
    void aKilledWorkersMessageComesBackWhenItsLeaseEnds() throws Exception {
        var queue = here.queue(table, "mail", TimeSource.database());
        queue.enqueue("survivor");
        var doomed = DoomedWorker.start(address, jobs, LockForm.LEASE, Duration.ofSeconds(2));
        doomed.awaitClaim();
        doomed.kill();
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        opened.add(
                queue.worker().pollInterval(Duration.ofDays(1)).events(recorder).handle(delivery -> {
                    deliveries.add(delivery);
                    return Outcome.done();
                }));

        recorder.await("done");

        assertThat(take(deliveries)).returns("survivor", Delivery::payload).returns(2, Delivery::attempt);
    }

    @Test
    void closingEndsAtItsDeadlineAndLeavesTheRestToTheLease() throws Exception {
        var queue = here.queue(table, "mail", time);
        var started = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        queue.enqueue("endless");
        var worker = queue.worker().events(recorder).consume(payload -> {
            started.countDown();
            mayEnd.await();
        });
        started.await();

        worker.close(Duration.ofMillis(50));

        assertThat(rows(jobs))
                .singleElement()
                .satisfies(row -> assertThat(row.get(jobs.lockedUntil)).isNotNull());
        mayEnd.countDown();
        recorder.await("done");
    }

    @Test
    void withoutATokenColumnTheExpiryIsTheProof() throws Exception {
        var bare = QueueTable.of(jobs, jobs.jobId, jobs.body)
                .queue(jobs.topic)
                .dueAt(jobs.retryAfter)
                .leasedUntil(jobs.lockedUntil);
        var queue = here.queue(bare, "mail", TimeSource.database());
        queue.enqueueAll(numbered(10));
        opened.add(queue.worker().concurrency(3).events(recorder).consume(payload -> {}));

        recorder.await("done", 10);

        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void aLeaseThatAnotherTookMeanwhileLeavesNothingOfItsTransactionalHandler() throws Exception {
        queue.enqueue("taken over");
        var lost = new LinkedBlockingQueue<Object>();
        var handled = new CountDownLatch(1);

        opened.add(queue.worker()
                .events(new QueueEvents() {
                    @Override
                    public void claimed(String name, int rows) {
                        here.dsl().update(jobs).set(jobs.claimToken, 7L).execute();
                    }

                    @Override
                    public void lost(String name, Object id) {
                        lost.add(id);
                    }
                })
                .transact((tx, delivery) -> {
                    write(tx, "written under a lost lease");
                    handled.countDown();
                    return Outcome.done();
                }));
        handled.await();

        assertThat(take(lost)).isEqualTo(rows(jobs).get(0).get(jobs.jobId));
        assertThat(ledger()).isEmpty();
        assertThat(rows(jobs))
                .singleElement()
                .satisfies(row -> assertThat(row.get(jobs.claimToken)).isEqualTo(7L));
    }
}
