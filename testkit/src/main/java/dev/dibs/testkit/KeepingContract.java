package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Delivery;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.WorkerBuilder;
import dev.dibs.WorkerState.Kind;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a worker does with leased rows while they are in its hands, on every database. */
@Timeout(120)
public abstract class KeepingContract extends TableContract {

    static final Duration SHORT_LEASE = Duration.ofSeconds(1);

    /** Long enough to be extended in time on a machine that does much else. */
    static final Duration KEPT_LEASE = Duration.ofSeconds(2);

    private JobTable jobs = new JobTable("kept_jobs");
    private JobTable dead = new JobTable("kept_jobs_dead");

    /** The contract on a database. */
    protected KeepingContract(TestDatabase database) {
        super(database, LockForm.LEASE);
    }

    @BeforeEach
    void createTables() {
        jobs = jobs.create(here.dsl());
        dead = dead.create(here.dsl());
    }

    /** C27: while its handler runs a message stays with its worker, however short the lease is. */
    @Test
    void c27AHandlerThatOutlivesItsLeaseKeepsItsMessage() throws Exception {
        keepsItsMessage(table());
    }

    @Test
    void withoutATokenTheExpiryIsExtendedAndStillTheProof() throws Exception {
        keepsItsMessage(QueueTable.of(jobs, jobs.jobId, jobs.body)
                .queue(jobs.topic)
                .dueAt(jobs.retryAfter)
                .leasedUntil(jobs.lockedUntil));
    }

    private void keepsItsMessage(QueueTable<String> table) throws Exception {
        var queue = here.queue(table, "mail", TimeSource.database());
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        var mayEnd = new CountDownLatch(1);
        queue.enqueue("long");
        opened.add(queue.worker().lease(KEPT_LEASE).events(recorder).handle(delivery -> {
            deliveries.add(delivery);
            mayEnd.await();
            return Outcome.done();
        }));
        var delivery = take(deliveries);
        awaitTwoLeasesOfClaims(table, deliveries);

        assertThat(deliveries).isEmpty();
        assertThat(delivery.isLost()).isFalse();
        mayEnd.countDown();
        recorder.await("done");
        assertThat(rows(jobs)).isEmpty();
    }

    // By another instance, which would take what is no longer kept.
    private void awaitTwoLeasesOfClaims(QueueTable<String> table, Collection<Delivery<String>> deliveries)
            throws InterruptedException {
        var claims = new Recorder();
        opened.add(elsewhere(table).events(claims).handle(delivery -> {
            deliveries.add(delivery);
            return Outcome.done();
        }));

        claims.await("claimed", 60); // each 80 ms after the other at least
    }

    private WorkerBuilder<String> elsewhere(QueueTable<String> table) {
        return instance().queue(table, "mail", TimeSource.database()).worker().pollInterval(POLL);
    }

    /** C18: what a worker keeps for its rows in hand, it gives back when it has none, though its next claim waits for it. */
    @Test
    void c18TheOnlyConnectionOfAPoolGoesFromTheSettlementToTheClaimThatWaitsForIt() throws Exception {
        var one = Instance.at(address, 1);
        opened.add(one);
        var connections = one.pool().getHikariPoolMXBean();
        var queue = one.queue(table(), "mail", TimeSource.database());
        queue.enqueueAll(numbered(2));
        try (var warnings = new Warnings()) {
            opened.add(queue.worker()
                    .concurrency(2)
                    .pollInterval(POLL)
                    .events(recorder)
                    .consume(
                            payload -> Awaitility.await().until(() -> connections.getThreadsAwaitingConnection() > 0)));
            recorder.awaitSettled(2);
            recorder.awaitClaimThatBeginsNow();

            assertThat(warnings.all()).noneMatch(warning -> warning.contains("a claim failed"));
        }
    }

    @Test
    void rowsThatWaitInTheWorkerAreGivenBackUncountedWhenItIsClosed() throws Exception {
        var queue = queue();
        var handled = new AtomicInteger();
        var stopped = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        queue.enqueueAll(numbered(400));
        var worker = queue.worker().events(recorder).consume(payload -> {
            if (handled.incrementAndGet() == 100) { // by then it is known to be quick, and rows wait for it
                stopped.countDown();
                mayGoOn.await();
            }
        });
        stopped.await();

        var closing = new Thread(worker::close);
        closing.start();
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> worker.state().kind() == Kind.CLOSING);
        mayGoOn.countDown();
        closing.join();

        assertThat(handled).hasValueLessThan(400);
        assertThat(rows(jobs)).hasSize(400 - handled.get()).allSatisfy(row -> {
            assertThat(row.get(jobs.lockedUntil)).isNull();
            assertThat(row.get(jobs.claimToken)).isNull();
            assertThat(row.get(jobs.tries)).isZero();
        });
        assertThat(worker.state().kind()).isEqualTo(Kind.CLOSED);
    }

    @Test
    void aSlowHandlerKeepsNoMessagesFromOtherInstances() throws Exception {
        var queue = queue();
        var started = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        queue.enqueueAll(numbered(10));
        opened.add(queue.worker().consume(payload -> {
            started.countDown();
            mayEnd.await();
        }));
        started.await();

        opened.add(instance()
                .queue(table(), "mail", TimeSource.database())
                .worker()
                .events(recorder)
                .consume(payload -> {}));

        recorder.await("done", 9);
        mayEnd.countDown();
    }

    @Test
    void aHandlerIsToldThatItsMessageWasLost() throws Exception {
        var queue = queue();
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        queue.enqueue("taken over");
        opened.add(queue.worker().lease(SHORT_LEASE).events(recorder).handle(delivery -> {
            deliveries.add(delivery);
            Awaitility.await().atMost(Recorder.PATIENCE).until(delivery::isLost);
            return Outcome.done();
        }));
        take(deliveries);

        here.dsl().update(jobs).set(jobs.claimToken, 7L).execute();

        recorder.await("lost");
        assertThat(rows(jobs)).hasSize(1);
    }

    @Test
    void aHandlerThatTakesTooLongIsNoLongerKept() throws Exception {
        var queue = queue();
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        var mayEnd = new CountDownLatch(1);
        queue.enqueue("endless");
        opened.add(queue.worker()
                .lease(SHORT_LEASE)
                .maxHandling(Duration.ofMillis(1))
                .events(recorder)
                .handle(delivery -> {
                    deliveries.add(delivery);
                    mayEnd.await();
                    return Outcome.done();
                }));
        var endless = take(deliveries);
        opened.add(elsewhere(table()).handle(delivery -> {
            deliveries.add(delivery);
            return Outcome.done();
        }));

        var second = take(deliveries);

        assertThat(second.attempt()).isEqualTo(2);
        assertThat(endless.isLost()).isTrue();
        mayEnd.countDown();
        recorder.await("lost");
    }

    @Test
    void outcomesThatWaitAreWrittenTogether() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var deletes = new AtomicInteger();
        var queue = queue(switched);
        queue.enqueueAll(numbered(20));
        var handled = new CountDownLatch(20);
        var held = switched.holdBack(KeepingContract::isDelete);

        opened.add(queue.worker().concurrency(20).events(recorder).consume(payload -> handled.countDown()));
        held.reached().await();
        handled.await();
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> rows(jobs).size() == 20);
        switched.count(KeepingContract::isDelete, deletes);
        held.letGo().countDown();
        recorder.await("done", 20);

        assertThat(rows(jobs)).isEmpty();
        assertThat(deletes).as("statements for what waited").hasValueLessThan(5);
    }

    @Test
    void ofOutcomesWrittenTogetherThoseOfLostRowsAreKnown() throws Exception {
        var queue = queue();
        queue.enqueueAll(numbered(20));
        var handled = new CountDownLatch(20);
        var mayEnd = new CountDownLatch(1);
        opened.add(queue.worker().concurrency(20).events(recorder).consume(payload -> {
            handled.countDown();
            mayEnd.await();
        }));
        handled.await();
        here.dsl()
                .update(jobs)
                .set(jobs.claimToken, 7L)
                .where(jobs.body.in("13", "17"))
                .execute();

        mayEnd.countDown();
        recorder.awaitSettled(18);
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> rows(jobs).size() == 2);

        assertThat(rows(jobs)).extracting(row -> row.get(jobs.body)).containsExactlyInAnyOrder("13", "17");
        assertThat(recorder.done()).hasSize(18);
    }

    @Test
    void aSettlementWhoseAnswerWasLostIsNotCalledLost() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        switched.loseAnswerTo(KeepingContract::isDelete);
        queue.enqueue("settled once");
        var deliveries = new AtomicInteger();

        opened.add(queue.worker().events(recorder).consume(payload -> deliveries.incrementAndGet()));
        recorder.await("done");

        assertThat(deliveries).hasValue(1);
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void anOutcomeIsKeptWhileTheDatabaseIsAwayAndWrittenWhenItIsBack() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        queue.enqueue("handled during an outage");
        var deliveries = new AtomicInteger();
        var worker = queue.worker().events(recorder).consume(payload -> {
            deliveries.incrementAndGet();
            switched.off();
            switched.loseAnswerTo(KeepingContract::isDelete);
        });
        opened.add(worker);
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> switched.refused() > 2);

        assertThat(worker.state().kind()).isEqualTo(Kind.DEGRADED);
        switched.on();
        recorder.await("done");

        assertThat(deliveries).hasValue(1);
        assertThat(rows(jobs)).isEmpty();
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> worker.state().kind() == Kind.RUNNING);
    }

    @Test
    void closingIsBoundedWhileTheDatabaseIsAway() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        queue.enqueueAll(numbered(50));
        var worker = queue.worker().concurrency(4).lease(SHORT_LEASE).consume(payload -> {
            switched.off();
            switched.loseAnswerTo(KeepingContract::isDelete);
        });
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> switched.refused() > 0);

        worker.close(Duration.ofMillis(100));

        assertThat(worker.state().kind()).isEqualTo(Kind.CLOSED);
    }

    @Test
    void aHandlerThatHangsKeepsNeitherASuspectNorOthersFromBeingHandled() throws Exception {
        var queue = queue();
        var seen = new LinkedBlockingQueue<String>();
        var mayEnd = new CountDownLatch(1);
        queue.enqueue("hangs");
        opened.add(queue.worker()
                .concurrency(2)
                .pollInterval(POLL)
                .lease(SHORT_LEASE)
                .consume(payload -> {
                    seen.add(payload);
                    if (payload.equals("hangs")) {
                        mayEnd.await();
                    }
                }));
        assertThat(take(seen)).isEqualTo("hangs");

        here.dsl().transaction(tx -> {
            var id = queue.enqueue(tx, "killed its process twice").id();
            tx.dsl()
                    .update(jobs)
                    .set(jobs.tries, 2)
                    .set(jobs.lockedUntil, 1L)
                    .where(jobs.jobId.eq((Long) id))
                    .execute();
        });

        assertThat(take(seen)).isEqualTo("killed its process twice");
        queue.enqueue("innocent");
        assertThat(take(seen)).isEqualTo("innocent");
        mayEnd.countDown();
    }

    @Test
    void rowsThatWaitBehindHandlersThatHangGoToOtherInstances() throws Exception {
        var queue = queue();
        var handled = new AtomicInteger();
        var hangs = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        queue.enqueueAll(numbered(400));
        opened.add(queue.worker().lease(SHORT_LEASE).consume(payload -> {
            if (handled.incrementAndGet() == 100) { // by then it is known to be quick, and rows wait for it
                hangs.countDown();
                mayEnd.await();
            }
        }));
        hangs.await();

        opened.add(elsewhere(table()).concurrency(4).consume(payload -> handled.incrementAndGet()));

        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> handled.get() == 400);
        mayEnd.countDown();
    }

    @Test
    void rowsOfAClaimThatEndsAfterTheWorkerWasClosedAreGivenBack() throws Exception {
        var instance = Instance.at(address, 4);
        opened.add(instance);
        var switched = new SwitchedDataSource(instance.pool());
        var queue = queue(switched);
        var worker =
                queue.worker().pollInterval(Duration.ofDays(1)).events(recorder).consume(payload -> {});
        recorder.await("claimed");
        var held = switched.holdBack(KeepingContract::isClaim);
        queue.enqueue("claimed too late");
        held.reached().await();
        worker.close(Duration.ofMillis(1));

        held.letGo().countDown();

        var pool = instance.pool().getHikariPoolMXBean();
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> pool.getActiveConnections() == 0);
        assertThat(rows(jobs)).singleElement().satisfies(row -> {
            assertThat(row.get(jobs.lockedUntil)).isNull();
            assertThat(row.get(jobs.tries)).isZero();
        });
    }

    @Test
    void aClosedWorkerWhoseHandlerHangsWaitsWithoutWork() throws Exception {
        var queue = here.queue(table(), "hanging", TimeSource.database());
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        var mayEnd = new CountDownLatch(1);
        queue.enqueue("hangs");
        var worker = queue.worker().lease(SHORT_LEASE).handle(delivery -> {
            deliveries.add(delivery);
            mayEnd.await();
            return Outcome.done();
        });
        var delivery = take(deliveries);
        worker.close(Duration.ofMillis(1));
        Awaitility.await().atMost(Recorder.PATIENCE).until(delivery::isLost);

        var settling = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("queue-hanging-settle"))
                .findFirst()
                .orElseThrow();
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> settling.getState() == Thread.State.TIMED_WAITING);
        mayEnd.countDown();
        settling.join();
    }

    @Test
    void aLeaseIsSureForTheRowsThatWereExtendedAndForNoOthers() {
        var queue = new QueueRef(table(), "mail", TimeSource.database());
        queue().enqueueAll(numbered(2));
        var claimed = Dialects.of(dialect())
                .claim(queue)
                .claim(ClaimRequest.of(here.dsl(), queue, 2, SHORT_LEASE))
                .orElseThrow();
        var hold = claimed.hold();
        var kept = claimed.rows().get(0);
        var others = claimed.rows().get(1);

        while (hold.isSure(others)) {
            assertThat(hold.extend(here.dsl(), List.of(kept))).isTrue();
        }

        assertThat(hold.isLost(others)).isTrue();
        assertThat(hold.isLost(kept)).isFalse();
    }

    @Test
    void aSettlementRolledBackForAnotherWhileItIsWrittenRowByRowIsWrittenAgain() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        var deliveries = new AtomicInteger();
        queue.enqueue("refused at first");
        switched.refuse(KeepingContract::isDelete, "22000");
        switched.refuse(KeepingContract::isDelete, SwitchedDataSource.ROLLED_BACK);

        opened.add(queue.worker().events(recorder).consume(payload -> deliveries.incrementAndGet()));
        recorder.await("done");

        assertThat(deliveries).hasValue(1);
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void aHandlerWithoutAConnectionForItsTransactionIsNotTriedWithoutAPause() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        var started = System.nanoTime();
        queue.enqueue("needs a connection of its own");
        switched.atMost(1);

        opened.add(queue.worker().events(recorder).transact((tx, delivery) -> Outcome.done()));
        recorder.await("claimed", 6);

        var shortestPauses = Duration.ofMillis(5 * 50);
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(shortestPauses);
        switched.atMost(10);
        recorder.await("done");
    }

    @Test
    void aWorkerIsWellAgainOnceItsLeasesAreExtendedThoughNothingIsSettled() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        var started = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        queue.enqueue("long");
        var worker = queue.worker()
                .lease(KEPT_LEASE)
                .pollInterval(POLL)
                .events(recorder)
                .consume(payload -> {
                    started.countDown();
                    mayEnd.await();
                });
        opened.add(worker);
        started.await();
        try (var warnings = new Warnings()) {
            switched.refuse(sql -> sql.startsWith("update"), "08006"); // an extension: there is nothing to claim
            Awaitility.await()
                    .atMost(Recorder.PATIENCE)
                    .until(() -> warnings.all().stream()
                            .anyMatch(warning -> warning.contains("messages cannot be settled")));
        }

        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> worker.state().kind() == Kind.RUNNING);

        mayEnd.countDown();
        recorder.await("done");
    }

    /** C18: settling and keeping do not depend on what handlers take of the pool. */
    @Test
    void c18LeasesAreKeptWhileHandlersTakeTheWholePool() throws Exception {
        var queue = queue();
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        var mayEnd = new CountDownLatch(1);
        queue.enqueue("greedy");
        opened.add(queue.worker().lease(KEPT_LEASE).events(recorder).handle(delivery -> {
            deliveries.add(delivery);
            var taken = new ArrayList<AutoCloseable>();
            while (here.pool().getHikariPoolMXBean().getActiveConnections()
                    < here.pool().getMaximumPoolSize()) {
                taken.add(here.pool().getConnection());
            }
            mayEnd.await();
            for (var connection : taken) {
                connection.close();
            }
            return Outcome.done();
        }));
        take(deliveries);
        awaitTwoLeasesOfClaims(table(), deliveries);

        assertThat(deliveries).isEmpty();
        mayEnd.countDown();
        recorder.await("done");
    }

    /** C26: a lease is kept until its handler ends, also while the worker is being closed. */
    @Test
    void c26AHandlerKeepsItsLeaseWhileItsWorkerIsBeingClosed() throws Exception {
        var queue = queue();
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        var mayEnd = new CountDownLatch(1);
        queue.enqueue("at work");
        var worker = queue.worker().lease(KEPT_LEASE).events(recorder).handle(delivery -> {
            deliveries.add(delivery);
            mayEnd.await();
            return Outcome.done();
        });
        take(deliveries);
        var closing = new Thread(worker::close);
        closing.start();
        awaitTwoLeasesOfClaims(table(), deliveries);

        assertThat(deliveries).isEmpty();
        mayEnd.countDown();
        recorder.await("done");
        closing.join();
    }

    @Test
    @Timeout(400) // it starts several processes, one after the other
    void aMessageThatKillsItsProcessDoesNotTakeItsNeighboursToTheDeadLetters() throws Exception {
        var innocent = numbered(100);
        var messages = new ArrayList<>(innocent);
        messages.add(50, DoomedWorker.POISON);
        queue().enqueueAll(messages);

        for (int run = 0; run < DoomedWorker.DELIVERIES && !rows(jobs).isEmpty(); run++) {
            var doomed = DoomedWorker.poisoned(address, jobs, SHORT_LEASE);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .until(() -> doomed.hasEnded() || rows(jobs).isEmpty());
            doomed.kill();
        }
        var handled = new LinkedBlockingQueue<String>();
        opened.add(queue().worker()
                .pollInterval(POLL)
                .retry(RetryPolicy.ofDefaults().attempts(DoomedWorker.DELIVERIES))
                .events(recorder)
                .consume(handled::add));
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> rows(jobs).isEmpty());

        assertThat(rows(dead)).singleElement().satisfies(row -> {
            assertThat(row.get(dead.body)).isEqualTo(DoomedWorker.POISON);
        });
        assertThat(handled).doesNotContain(DoomedWorker.POISON);
    }

    /** C15: claims, settlements, extensions, enqueues and bulk enqueues at once abort nobody's work. */
    @Test
    void c15ClaimsSettlementsExtensionsAndEnqueuesDoNotEndEachOther() throws Exception {
        var messages = 3_000;
        var table = table();
        var pools = List.of(Instance.at(address, 16), Instance.at(address, 16));
        opened.addAll(pools);
        for (var instance : pools) {
            opened.add(instance.queue(table, "mail", TimeSource.database())
                    .worker()
                    .concurrency(8)
                    .lease(Duration.ofMillis(400))
                    .retry(RetryPolicy.fixed(Duration.ofMillis(10)))
                    .events(recorder)
                    .handle(delivery -> delivery.id().hashCode() % 10 == 0 && delivery.attempt() == 1
                            ? Outcome.retry("once more")
                            : Outcome.done()));
        }
        var producers = IntStream.range(0, 4)
                .mapToObj(number -> new Thread(
                        () -> produce(pools.get(number % 2).queue(table, "mail", TimeSource.database()), 250)))
                .toList();

        producers.forEach(Thread::start);
        pools.get(0).queue(table, "mail", TimeSource.database()).enqueueAll(numbered(2_000));
        for (var producer : producers) {
            producer.join();
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .until(() -> recorder.done().size() == messages);

        assertThat(rows(jobs)).isEmpty();
        assertThat(rows(dead)).isEmpty();
    }

    private static void produce(Queue<String> queue, int messages) {
        for (int number = 0; number < messages; number++) {
            queue.enqueue("one of many");
        }
    }

    final QueueTable<String> table() {
        return jobs.mapped(LockForm.LEASE, dead);
    }

    final Queue<String> queue() {
        return here.queue(table(), "mail", TimeSource.database());
    }

    final Queue<String> queue(SwitchedDataSource switched) {
        var dsl = DSL.using(switched.dataSource(), address.dialect());
        return new Instance(here.pool(), dsl).queue(table(), "mail", TimeSource.database());
    }

    /** Another worker claims a message, as if its lease had run out. */
    final void takeOver(String payload) {
        here.dsl()
                .update(jobs)
                .set(jobs.claimToken, 7L)
                .where(jobs.body.eq(payload))
                .execute();
    }

    private static boolean isClaim(String sql) {
        return sql.contains("limit") || sql.contains("fetch next");
    }

    static boolean isDelete(String sql) {
        return sql.startsWith("delete");
    }
}
