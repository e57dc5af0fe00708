package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Delivery;
import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.Worker;
import dev.dibs.table.LockForm;
import dev.dibs.table.OrderPolicy;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the forms that know an order promise of messages that share a key. */
abstract class OrderContract extends HandlerContract {

    private static final int KEYS = 5;

    OrderContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @Test
    void messagesOfOneKeyAreInWorkOneAtATimeAndInTheirOrderAcrossInstances() throws Exception {
        var ordered = ordered(OrderPolicy.BLOCK, TimeSource.database());
        var overlaps = new Overlaps();
        Map<String, List<Integer>> handled = new ConcurrentHashMap<>();

        for (var instance : List.of(instance(), instance())) {
            opened.add(instance.queue(ordered.table(), "mail", TimeSource.database())
                    .worker()
                    .concurrency(3)
                    .pollInterval(Duration.ofMillis(20))
                    .events(recorder)
                    .handle(delivery -> overlaps.during(keyOf(delivery), () -> {
                        handled.computeIfAbsent(keyOf(delivery), key -> new CopyOnWriteArrayList<>())
                                .add(numberOf(delivery));
                        return Outcome.done();
                    })));
        }
        for (int part = 0; part < 5; part++) {
            ordered.enqueueMessages(IntStream.range(part * 20, part * 20 + 20)
                    .mapToObj(OrderContract::keyed)
                    .toList());
        }
        recorder.await("done", 100);

        assertThat(overlaps.found()).isEmpty();
        assertThat(handled)
                .hasSize(KEYS)
                .allSatisfy((key, numbers) -> assertThat(numbers).isSorted().hasSize(100 / KEYS));
    }

    @Test
    void theNextMessageOfAKeyDoesNotWaitForAPoll() throws Exception {
        var ordered = ordered(OrderPolicy.BLOCK, TimeSource.database());
        ordered.enqueueMessages(IntStream.range(0, 300)
                .mapToObj(number -> of("k", "message " + number))
                .toList());

        opened.add(ordered.worker()
                .pollInterval(Duration.ofDays(1))
                .events(recorder)
                .consume(payload -> {}));

        recorder.await("done", 300);
    }

    @Test
    void messagesThatArriveInFrontOfOneInWorkDoNotMeetIt() throws Exception {
        var ordered = ordered(OrderPolicy.BLOCK, TimeSource.database());
        ordered.enqueue(Message.of("behind").orderKey("k"));
        here.dsl().update(jobs).set(jobs.jobId, 1_000L).execute();
        var started = new LinkedBlockingQueue<String>();
        var mayEnd = new CountDownLatch(1);
        var worker = ordered.worker().concurrency(2).pollInterval(POLL).events(recorder);

        opened.add(worker.consume(payload -> {
            started.add(payload);
            mayEnd.await();
        }));
        assertThat(take(started)).isEqualTo("behind");
        here.dsl()
                .insertInto(jobs, jobs.jobId, jobs.body, jobs.topic, jobs.urgency, jobs.retryAfter, jobs.account)
                .values(1L, "in front", "mail", 0, 0L, "k")
                .execute();
        recorder.awaitClaimThatBeginsNow();

        assertThat(started).isEmpty();
        mayEnd.countDown();
        assertThat(take(started)).isEqualTo("in front");
    }

    @Test
    void aFailingHeadBlocksItsKeyAndNoOther() throws Exception {
        var ordered = ordered(OrderPolicy.BLOCK, time);
        ordered.enqueueMessages(List.of(of("a", "a1"), of("a", "a2"), of("b", "b1"), Message.of("none")));
        var seen = new LinkedBlockingQueue<String>();

        opened.add(worker(ordered, seen, "a1"));
        recorder.awaitSettled(3);
        recorder.awaitClaimThatBeginsNow();
        assertThat(seen).containsExactlyInAnyOrder("a1", "b1", "none");
        clock.advance(Duration.ofMinutes(1));
        recorder.awaitSettled(5);

        assertThat(List.copyOf(seen).subList(3, 5)).containsExactly("a1", "a2");
    }

    @Test
    void aFailingHeadIsOvertakenWhereThatIsSaid() throws Exception {
        var ordered = ordered(OrderPolicy.OVERTAKE, time);
        ordered.enqueueMessages(List.of(of("a", "a1"), of("a", "a2"), of("a", "a3")));
        var seen = new LinkedBlockingQueue<String>();

        opened.add(worker(ordered, seen, "a1"));
        recorder.awaitSettled(3);
        assertThat(seen).containsExactly("a1", "a2", "a3");
        clock.advance(Duration.ofMinutes(1));
        recorder.awaitSettled(4);

        assertThat(List.copyOf(seen).get(3)).isEqualTo("a1");
    }

    @Test
    void aDeadHeadOpensItsKey() throws Exception {
        var ordered = ordered(OrderPolicy.BLOCK, time);
        ordered.enqueueMessages(List.of(of("a", "a1"), of("a", "a2")));
        var seen = new LinkedBlockingQueue<String>();

        opened.add(ordered.worker().pollInterval(POLL).events(recorder).handle(delivery -> {
            seen.add(delivery.payload());
            return delivery.payload().equals("a1") ? Outcome.reject("unwanted") : Outcome.done();
        }));
        recorder.awaitSettled(2);

        assertThat(seen).containsExactly("a1", "a2");
        assertThat(rows(dead)).hasSize(1);
    }

    @Test
    void aFifoQueueHandlesOneMessageAtATimeInTheOrderOfTheIds() throws Exception {
        var fifo = here.queue(bare().fifo(OrderPolicy.BLOCK), "mail", TimeSource.database());
        here.queue(table, "parcels", time).enqueue("of another queue");
        fifo.enqueueAll(numbered(30));
        var overlaps = new Overlaps();
        var seen = new LinkedBlockingQueue<String>();

        for (var instance : List.of(instance(), instance())) {
            opened.add(instance.queue(fifo.table(), "mail", TimeSource.database())
                    .worker()
                    .concurrency(3)
                    .pollInterval(Duration.ofMillis(20))
                    .events(recorder)
                    .handle(delivery -> overlaps.during("mail", () -> {
                        seen.add(delivery.payload());
                        return Outcome.done();
                    })));
        }
        recorder.await("done", 30);

        assertThat(overlaps.found()).isEmpty();
        assertThat(seen).containsExactlyElementsOf(numbered(30));
    }

    @Test
    void aHeadThatIsDueAgainWaitsForTheOneThatHasOvertakenIt() throws Exception {
        var ordered = ordered(OrderPolicy.OVERTAKE, time);
        ordered.enqueueMessages(List.of(of("a", "a1"), of("a", "a2")));
        var started = new LinkedBlockingQueue<String>();
        var mayEnd = new CountDownLatch(1);

        opened.add(ordered.worker()
                .concurrency(2)
                .pollInterval(POLL)
                .lease(Duration.ofHours(1))
                .retry(RetryPolicy.fixed(Duration.ofMinutes(1)))
                .events(recorder)
                .handle(delivery -> {
                    started.add(delivery.payload());
                    if (delivery.payload().equals("a1") && delivery.attempt() == 1) {
                        return Outcome.retry("not yet");
                    }
                    mayEnd.await();
                    return Outcome.done();
                }));
        assertThat(take(started)).isEqualTo("a1");
        assertThat(take(started)).isEqualTo("a2");
        clock.advance(Duration.ofMinutes(1));
        recorder.awaitClaimThatBeginsNow();

        assertThat(started).isEmpty();
        mayEnd.countDown();
        assertThat(take(started)).isEqualTo("a1");
    }

    @Test
    void twoClaimsOfOneKeyNeverWorkOnItAtOnceHoweverTheyRace() throws Exception {
        var ordered = ordered(OrderPolicy.OVERTAKE, TimeSource.database());
        var overlaps = new Overlaps();
        for (int instance = 0; instance < 4; instance++) {
            opened.add(instance()
                    .queue(ordered.table(), "mail", TimeSource.database())
                    .worker()
                    .concurrency(2)
                    .pollInterval(Duration.ofMillis(1))
                    .retry(RetryPolicy.fixed(Duration.ofMillis(3)))
                    .events(recorder)
                    .handle(delivery -> overlaps.during("the only key", () -> {
                        rows(jobs); // work that takes about as long as a claim
                        return delivery.attempt() < 3 ? Outcome.retry("once more") : Outcome.done();
                    })));
        }

        for (int number = 0; number < 60; number++) {
            ordered.enqueue(of("the only key", "message").priority(number * 7 % 3));
        }
        recorder.await("done", 60);

        assertThat(overlaps.found()).isEmpty();
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void anOrderKeyWithoutAColumnIsRefused() {
        assertThatThrownBy(() -> queue.enqueue(of("a", "a1")))
                .hasMessageContaining("queue \"mail\"")
                .hasMessageContaining("has an order key")
                .hasMessageContaining("orderKey(..)");
        assertThat(rows(jobs)).isEmpty();
    }

    private Worker worker(Queue<String> ordered, LinkedBlockingQueue<String> seen, String failsOnce) {
        return ordered.worker()
                .concurrency(3)
                .pollInterval(POLL)
                .retry(RetryPolicy.fixed(Duration.ofMinutes(1)))
                .events(recorder)
                .handle(delivery -> {
                    seen.add(delivery.payload());
                    return delivery.payload().equals(failsOnce) && delivery.attempt() == 1
                            ? Outcome.retry("not yet")
                            : Outcome.done();
                });
    }

    private Queue<String> ordered(OrderPolicy policy, TimeSource source) {
        return here.queue(table.orderKey(jobs.account, policy), "mail", source);
    }

    private QueueTable<String> bare() {
        var bare = QueueTable.of(jobs, jobs.jobId, jobs.body)
                .queue(jobs.topic)
                .dueAt(jobs.retryAfter)
                .attempt(jobs.tries);
        return form == LockForm.LEASE ? bare.leasedUntil(jobs.lockedUntil).leaseToken(jobs.claimToken) : bare;
    }

    private static Message<String> of(String key, String payload) {
        return Message.of(payload).orderKey(key);
    }

    private static Message<String> keyed(int number) {
        return of("key " + number % KEYS, Integer.toString(number));
    }

    private static String keyOf(Delivery<String> delivery) {
        return "key " + numberOf(delivery) % KEYS;
    }

    private static int numberOf(Delivery<String> delivery) {
        return Integer.parseInt(delivery.payload());
    }
}
