package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Delivery;
import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/**
 * What the advisory form promises, on every database.
 *
 * <p>A dialect extends it with a class that names its database; the list of these classes is the support matrix.
 */
public abstract class AdvisoryContract extends HandlerContract {

    /** The contract on a database. */
    protected AdvisoryContract(TestDatabase database) {
        super(database, LockForm.ADVISORY);
    }

    @Test
    void messagesOfOneKeyAreInWorkOneAfterTheOtherAndThoseOfOthersBesideThem() throws Exception {
        var byUrgency = byUrgency();
        for (int number = 1; number <= 60; number++) {
            byUrgency.enqueue(Message.of("message " + number).priority(number % 3));
        }
        var overlaps = new Overlaps();

        for (var instance : List.of(instance(), instance())) {
            opened.add(instance.queue(byUrgency.table(), "mail", TimeSource.database())
                    .worker()
                    .concurrency(2)
                    .pollInterval(Duration.ofMillis(20))
                    .events(recorder)
                    .handle(delivery -> overlaps.during(urgencyOf(delivery), Outcome::done)));
        }
        recorder.await("done", 60);

        assertThat(overlaps.found()).isEmpty();
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void aClaimLooksPastTheKeysInWork() throws Exception {
        var byUrgency = byUrgency();
        byUrgency.enqueue(Message.of("holds the key").priority(0));
        for (int number = 1; number <= 30; number++) {
            byUrgency.enqueue(Message.of("waits for the key").priority(0));
        }
        byUrgency.enqueue(Message.of("free").priority(1));
        var seen = new LinkedBlockingQueue<String>();
        var mayEnd = new CountDownLatch(1);

        opened.add(byUrgency.worker().concurrency(2).events(recorder).consume(payload -> {
            seen.add(payload);
            mayEnd.await();
        }));

        assertThat(take(seen)).isEqualTo("holds the key");
        assertThat(take(seen)).isEqualTo("free");
        mayEnd.countDown();
    }

    @Test
    void aBatchHoldsOneMessageOfAKey() throws Exception {
        var byUrgency = byUrgency();
        for (int number = 0; number < 6; number++) {
            byUrgency.enqueue(Message.of("message " + number).priority(number / 2));
        }
        var batches = new LinkedBlockingQueue<List<String>>();

        opened.add(byUrgency.worker().events(recorder).consumeAll(10, batches::add));
        recorder.await("done", 3);

        assertThat(take(batches)).containsExactly("message 0", "message 2", "message 4");
    }

    /** C14: no lock goes back to the pool with its connection. */
    @Test
    void c14NoLockIsLeftBehindByHandlersThatThrowOrSettlementsThatFail() throws Exception {
        var instance = instance();
        var own = instance.queue(table, "mail", TimeSource.database());
        own.enqueueAll(numbered(4));
        var lastId = rows(jobs).get(3).get(jobs.jobId);
        here.dsl()
                .insertInto(dead, dead.jobId, dead.body, dead.topic, dead.retryAfter)
                .values(lastId, "in the way", "mail", 0L)
                .execute();

        var worker = own.worker()
                .concurrency(2)
                .retry(RetryPolicy.fixed(Duration.ofHours(1)))
                .events(recorder)
                .handle(delivery -> switch (delivery.payload()) {
                    case "1" -> throw new IllegalStateException("thrown");
                    case "4" -> Outcome.reject("cannot be buried");
                    default -> Outcome.done();
                });
        recorder.await("settlementFailed");
        recorder.awaitSettled(3);
        worker.close();

        here.dsl().update(jobs).set(jobs.retryAfter, 0L).execute();
        opened.add(instance()
                .queue(table, "mail", TimeSource.database())
                .worker()
                .events(recorder)
                .consume(payload -> {}));
        recorder.await("done", 2);
        assertThat(instance.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    /** C13: keys that a short hash would take for one, and equal keys of two tables, do not keep each other out. */
    @Test
    void c13KeysThatOnlyLookAlikeAreInWorkAtOnce() throws Exception {
        var other = new JobTable(jobs.getName() + "_other").create(here.dsl());
        var mine = here.queue(table.lockKey(jobs.body), "mail", TimeSource.database());
        var others = here.queue(other.mapped(form, dead).lockKey(other.body), "mail", TimeSource.database());
        mine.enqueueAll(List.of("Aa", "BB", "aa"));
        others.enqueueAll(List.of("Aa", "BB"));
        var started = new LinkedBlockingQueue<String>();
        var mayEnd = new CountDownLatch(1);

        for (var keyed : List.of(mine, others)) {
            opened.add(keyed.worker().concurrency(3).events(recorder).consume(payload -> {
                started.add(payload);
                mayEnd.await();
            }));
        }

        for (int each = 0; each < 5; each++) {
            take(started);
        }
        mayEnd.countDown();
        recorder.await("done", 5);
    }

    private Queue<String> byUrgency() {
        QueueTable<String> keyed = table.lockKey(jobs.urgency);
        return here.queue(keyed, "mail", TimeSource.database());
    }

    private int urgencyOf(Delivery<String> delivery) {
        return Integer.parseInt(delivery.payload().substring("message ".length())) % 3;
    }
}
