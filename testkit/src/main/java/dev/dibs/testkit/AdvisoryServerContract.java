package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Delivery;
import dev.dibs.Outcome;
import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** What the advisory form promises where the server holds the locks. */
public abstract class AdvisoryServerContract extends AdvisoryContract {

    /** The contract on a server. */
    protected AdvisoryServerContract(TestDatabase database) {
        super(database);
    }

    @Test
    void aKilledWorkersMessageComesBackAndHasSpentAnAttempt() throws Exception {
        var database = here.queue(table, "mail", TimeSource.database());
        database.enqueue("survivor");
        var doomed = DoomedWorker.start(address, jobs, LockForm.ADVISORY, Duration.ofDays(1));
        doomed.awaitClaim();
        doomed.kill();
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();

        opened.add(database.worker().pollInterval(POLL).events(recorder).handle(delivery -> {
            deliveries.add(delivery);
            return Outcome.done();
        }));
        recorder.await("done");

        assertThat(take(deliveries)).returns("survivor", Delivery::payload).returns(2, Delivery::attempt);
    }

    @Test
    void aMessageWhoseSessionEndsInWorkIsLostToItsHandlerAndHandledAgain() throws Exception {
        var attempts = new LinkedBlockingQueue<Integer>();
        var mayEnd = new CountDownLatch(1);
        here.queue(table, "mail", time).enqueue("cut off");
        opened.add(instance()
                .queue(table, "mail", time)
                .worker()
                .pollInterval(POLL)
                .events(recorder)
                .handle(delivery -> {
                    attempts.add(delivery.attempt());
                    mayEnd.await();
                    return Outcome.done();
                }));
        assertThat(take(attempts)).isEqualTo(1);

        Sessions.killOthers(here.dsl());
        mayEnd.countDown();

        assertThat(recorder.await("lost").id()).isNotNull();
        recorder.await("done");
        assertThat(take(attempts)).isEqualTo(2);
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void aTransactionalHandlerWhoseSessionEndsLeavesNothing() throws Exception {
        var attempts = new LinkedBlockingQueue<Integer>();
        here.queue(table, "mail", time).enqueue("cut off");
        var killed = new CountDownLatch(1);

        opened.add(instance()
                .queue(table, "mail", time)
                .worker()
                .pollInterval(POLL)
                .events(recorder)
                .transact((tx, delivery) -> {
                    write(tx, "attempt " + delivery.attempt());
                    attempts.add(delivery.attempt());
                    killed.await();
                    return Outcome.done();
                }));
        take(attempts);
        Sessions.killOthers(here.dsl());
        killed.countDown();

        recorder.await("done");
        assertThat(ledger()).containsExactly("attempt 2");
    }
}
