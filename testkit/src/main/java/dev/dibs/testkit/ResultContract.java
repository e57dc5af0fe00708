package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.name;

import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Outcomes;
import dev.dibs.Queue;
import dev.dibs.Receipt;
import dev.dibs.Result;
import dev.dibs.Result.Kind;
import dev.dibs.RetryPolicy;
import dev.dibs.WorkerBuilder;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.table.ResultTable;
import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What those are promised who await a message, on every database: its end, whichever instance brings it about.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
@Timeout(120)
public abstract class ResultContract extends TableContract {

    private static final Duration PATIENCE = Recorder.PATIENCE;
    private static final Duration KEPT = Duration.ofMinutes(10);
    private static final Result DONE = new Result(Kind.DONE, Optional.empty());

    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private WideTable table;
    private WideTable dead;
    private AnswerTable answers;
    private Queue<String> queue;

    /** The contract on a database, in a form. */
    protected ResultContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @BeforeEach
    void createTables() {
        table = made();
        dead = made();
        answers = new AnswerTable(table.getName() + "_answer").create(here.dsl());
        queue = queue(here, mapped(answers.results().keepFor(KEPT)));
    }

    @Test
    void aValueReachesTheInstanceThatAwaitsIt() throws Exception {
        var receipt = queue.enqueue("question");
        opened.add(workerElsewhere().handle(delivery -> Outcome.done("answer to the " + delivery.payload())));

        assertThat(receipt.await(PATIENCE)).contains(new Result(Kind.DONE, Optional.of("answer to the question")));
    }

    @Test
    void whoAwaitsBeforeTheEndIsToldOfItToo() throws Exception {
        var future = queue.enqueue("question").future();
        var proceed = new CountDownLatch(1);
        opened.add(workerElsewhere().handle(delivery -> {
            handled.add(delivery.payload());
            proceed.await();
            return Outcome.done("late");
        }));
        take(handled);
        assertThat(future).isNotDone();

        proceed.countDown();

        assertThat(result(future)).isEqualTo(new Result(Kind.DONE, Optional.of("late")));
    }

    @Test
    void eachEndIsTold() throws Exception {
        Map<String, Outcome> outcomes = Map.of(
                "done", Outcome.done(),
                "empty", Outcome.done(""),
                "drop", Outcome.drop(),
                "reject", Outcome.reject("unwanted"),
                "fail", Outcome.retry("broken"));
        var futures = new LinkedHashMap<String, CompletableFuture<Result>>();
        outcomes.keySet().forEach(name -> futures.put(name, queue.enqueue(name).future()));
        opened.add(workerElsewhere()
                .retry(RetryPolicy.fixed(Duration.ZERO).attempts(2))
                .handle(delivery -> outcomes.getOrDefault(delivery.payload(), Outcome.drop())));

        var ends = new HashMap<String, Result>();
        for (var future : futures.entrySet()) {
            ends.put(future.getKey(), result(future.getValue()));
        }
        assertThat(ends)
                .containsEntry("done", DONE)
                .containsEntry("empty", new Result(Kind.DONE, Optional.of("")))
                .containsEntry("drop", new Result(Kind.DROPPED, Optional.empty()))
                .containsEntry("reject", new Result(Kind.REJECTED, Optional.empty()))
                .containsEntry("fail", new Result(Kind.REJECTED, Optional.empty()));
    }

    @Test
    void aMessageThatIsTriedAgainHasNotEndedBefore() throws Exception {
        var receipt = queue.enqueue("stubborn");
        opened.add(workerElsewhere()
                .retry(RetryPolicy.fixed(Duration.ofMinutes(1)))
                .handle(delivery -> delivery.attempt() == 1 ? Outcome.retry("not yet") : Outcome.done("at last")));
        recorder.await("retried");
        assertThat(receipt.await(Duration.ofMillis(50))).isEmpty();

        clock.advance(Duration.ofMinutes(1));

        assertThat(receipt.await(PATIENCE)).contains(new Result(Kind.DONE, Optional.of("at last")));
    }

    @Test
    void whatConsumesEndsWithoutAValue() throws Exception {
        var receipt = queue.enqueue("plain");
        opened.add(workerElsewhere().consume(handled::add));

        assertThat(receipt.await(PATIENCE)).contains(DONE);
    }

    @Test
    void aTransactionalHandlersValueIsCommittedWithWhatItWrote() throws Exception {
        var receipt = queue.enqueue("question");
        opened.add(workerElsewhere().transact((tx, delivery) -> {
            queue.enqueue(tx, "what it wrote");
            return delivery.payload().equals("question") ? Outcome.done("answer") : Outcome.drop();
        }));

        assertThat(receipt.await(PATIENCE)).contains(new Result(Kind.DONE, Optional.of("answer")));
        recorder.await("done", 2);
        assertThat(rows(answers)).hasSize(2);
    }

    @Test
    void theMessagesOfABatchHaveAnEndEach() throws Exception {
        var done = queue.enqueue("done");
        var dropped = queue.enqueue("dropped");
        var rejected = queue.enqueue("rejected");
        opened.add(workerElsewhere()
                .handleAll(
                        3,
                        batch -> Outcomes.each(batch.stream()
                                .map(delivery -> switch (delivery.payload()) {
                                    case "done" -> Outcome.done("of a batch");
                                    case "dropped" -> Outcome.drop();
                                    default -> Outcome.reject("unwanted");
                                })
                                .toList())));

        assertThat(done.await(PATIENCE)).contains(new Result(Kind.DONE, Optional.of("of a batch")));
        assertThat(dropped.await(PATIENCE)).contains(new Result(Kind.DROPPED, Optional.empty()));
        assertThat(rejected.await(PATIENCE)).contains(new Result(Kind.REJECTED, Optional.empty()));
    }

    @Test
    void ofARowThatWasLostNothingIsToldAndOfItsNeighboursAll() throws Exception {
        if (form == LockForm.ROW_LOCK) {
            return; // nobody can take a row whose lock is held
        }
        var receipts = List.of(queue.enqueue("kept"), queue.enqueue("lost"));
        opened.add(workerElsewhere().handleAll(2, batch -> {
            here.dsl().deleteFrom(table).where(table.body.eq("lost")).execute();
            return Outcomes.all(Outcome.done("mine"));
        }));

        recorder.await("lost");

        assertThat(receipts.get(0).await(PATIENCE)).contains(new Result(Kind.DONE, Optional.of("mine")));
        assertThat(queue.result(receipts.get(1).id())).isEmpty();
        assertThat(rows(answers)).hasSize(1);
    }

    @Test
    void aTimeThatRunsOutLeavesNobodyWaiting() throws Exception {
        assertThat(queue.enqueue("unhandled").await(Duration.ofMillis(50))).isEmpty();

        awaitNobodyWaiting();
    }

    @Test
    void withoutATimeThereIsOneLook() throws Exception {
        var receipt = queue.enqueue("question");
        assertThat(receipt.await(Duration.ZERO)).isEmpty();
        opened.add(workerElsewhere().consume(handled::add));
        recorder.await("done");

        assertThat(receipt.await(Duration.ZERO)).contains(DONE);
    }

    @Test
    void anInterruptEndsTheWait() {
        var receipt = queue.enqueue("unhandled");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> receipt.await(PATIENCE)).isInstanceOf(InterruptedException.class);

        awaitNobodyWaiting();
    }

    @Test
    void aFutureThatIsCancelledOrRunsOutOfTimeLeavesNobodyWaiting() {
        var receipt = queue.enqueue("unhandled");
        var cancelled = receipt.future();
        var late = receipt.future().orTimeout(50, TimeUnit.MILLISECONDS);

        cancelled.cancel(true);

        assertThatThrownBy(() -> result(late)).hasCauseInstanceOf(TimeoutException.class);
        awaitNobodyWaiting();
    }

    @Test
    void afterTheLastResultNobodyWaits() throws Exception {
        var receipt = queue.enqueue("question");
        opened.add(workerElsewhere().consume(handled::add));

        assertThat(receipt.await(PATIENCE)).contains(DONE);

        awaitNobodyWaiting();
    }

    @Test
    void aStageThatHangsHoldsUpNobodyElse() throws Exception {
        var hangs = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var stage = queue.enqueue("first").future().thenRun(() -> {
            begun.countDown();
            await(hangs);
        });
        var second = queue.enqueue("second");
        opened.add(workerElsewhere().consume(handled::add));
        begun.await();

        assertThat(second.await(PATIENCE)).contains(DONE);

        hangs.countDown();
        result(stage);
    }

    @Test
    void manyAreAwaitedAtOnce() throws Exception {
        var futures = numbered(1_100).stream()
                .map(queue.grouped()::enqueue)
                .map(Receipt::future)
                .toList();
        opened.add(workerElsewhere()
                .concurrency(4)
                .handleAll(
                        100,
                        batch -> Outcomes.each(batch.stream()
                                .map(delivery -> Outcome.done("answer " + delivery.payload()))
                                .toList())));

        for (int number = 0; number < futures.size(); number++) {
            assertThat(result(futures.get(number)).value()).contains("answer " + number);
        }
        awaitNobodyWaiting();
    }

    /** In the lease form; where connections hold the rows some databases settle them one by one. */
    @Test
    void messagesWithAValueEachAreSettledTogether() throws Exception {
        if (form != LockForm.LEASE) {
            return;
        }
        queue.enqueueAll(numbered(50));
        var switched = new SwitchedDataSource(instance().pool());
        var writes = new AtomicInteger();
        var worker = worker(Queue.builder(DSL.using(switched.dataSource(), dialect()), queue.table(), queue.name())
                .time(time)
                .build());
        switched.count(sql -> sql.startsWith("insert") || sql.startsWith("delete"), writes);
        opened.add(worker.handleAll(
                50,
                batch -> Outcomes.each(batch.stream()
                        .map(delivery -> Outcome.done(delivery.payload()))
                        .toList())));

        recorder.await("done", 50);

        assertThat(rows(answers)).extracting(row -> row.get(answers.answer)).containsAll(numbered(50));
        assertThat(writes).as("one for the messages, one for the results").hasValue(2);
    }

    @Test
    void aSettlementWhoseAnswerIsLostIsWrittenWithItsResultOrNotAtAll() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var receipt = queue.enqueue("question");
        var failing = Queue.builder(DSL.using(switched.dataSource(), dialect()), queue.table(), queue.name())
                .time(time)
                .build();
        switched.loseAnswerTo(sql -> sql.startsWith("insert") && sql.contains(answers.getName()));
        opened.add(worker(failing).handle(delivery -> Outcome.done("delivery " + delivery.attempt())));

        var result = receipt.await(PATIENCE);

        assertThat(result)
                .hasValueSatisfying(end -> assertThat(end.value().orElseThrow())
                        .isEqualTo(form == LockForm.ADVISORY ? "delivery 2" : "delivery 1"));
        assertThat(rows(table)).isEmpty();
    }

    @Test
    void theReceiptOfADuplicateAwaitsTheMessageThatWasThere() throws Exception {
        queue.enqueue(Message.of("first").dedupKey("k"));
        var second = queue.enqueue(Message.of("second").dedupKey("k"));
        opened.add(workerElsewhere().handle(delivery -> Outcome.done(delivery.payload())));

        assertThat(second.await(PATIENCE)).contains(new Result(Kind.DONE, Optional.of("first")));
    }

    @Test
    void whatIsEnqueuedInATransactionIsAwaitedAfterItsCommit() throws Exception {
        var receipt = here.dsl().transactionResult(tx -> queue.enqueue(tx, "with the commit"));
        opened.add(workerElsewhere().consume(handled::add));

        assertThat(receipt.await(PATIENCE)).contains(DONE);
    }

    @Test
    void aResultIsReadByItsIdInAnyInstanceAndOfAnyNumber() throws Exception {
        var receipt = queue.enqueue("question");
        opened.add(workerElsewhere().handle(delivery -> Outcome.done("answer")));
        recorder.await("done");
        var id = Integer.valueOf(receipt.id().toString());

        assertThat(elsewhere().result(id)).contains(new Result(Kind.DONE, Optional.of("answer")));
        assertThat(elsewhere().result(id + 1)).isEmpty();
    }

    @Test
    void aResultIsKeptForItsTimeAndPurgedThen() throws Exception {
        var began = Micros.of(clock.instant());
        var receipt = queue.enqueue("question");
        var worker = workerElsewhere().consume(handled::add);
        recorder.await("done");
        worker.close(); // idle, it would purge too
        assertThat(rows(answers)).singleElement().satisfies(row -> {
            assertThat(row.get(answers.mail)).isEqualTo(receipt.id());
            assertThat(row.get(answers.how)).isEqualTo("done");
            assertThat(row.get(answers.endedAt)).isEqualTo(began);
            assertThat(row.get(answers.keepUntil)).isEqualTo(began + KEPT.toSeconds() * 1_000_000);
        });

        clock.advance(KEPT.minusSeconds(1));
        assertThat(queue.purgeResults()).isZero();
        assertThat(queue.result(receipt.id())).contains(DONE);
        clock.advance(Duration.ofSeconds(1));

        assertThat(queue.result(receipt.id())).isEmpty();
        assertThat(receipt.await(Duration.ofMillis(20))).isEmpty();
        assertThat(queue.purgeResults()).isOne();
        assertThat(rows(answers)).isEmpty();
    }

    @Test
    void aMessageThatEndsAgainHasItsLastResult() throws Exception {
        var receipt = queue.enqueue("question");
        here.dsl()
                .insertInto(answers)
                .columns(answers.mail, answers.how, answers.answer, answers.keepUntil)
                .values((Long) receipt.id(), "rejected", null, Long.MAX_VALUE)
                .execute();
        assertThat(queue.result(receipt.id())).contains(new Result(Kind.REJECTED, Optional.empty()));
        opened.add(workerElsewhere().handle(delivery -> Outcome.done("after all")));

        recorder.await("done");

        assertThat(queue.result(receipt.id())).contains(new Result(Kind.DONE, Optional.of("after all")));
        assertThat(rows(answers)).hasSize(1);
    }

    @Test
    void aWorkerThatIsIdlePurgesResults() {
        here.dsl()
                .insertInto(answers)
                .columns(answers.mail, answers.how, answers.keepUntil)
                .values(1L, "done", 0L)
                .values(2L, "done", Long.MAX_VALUE)
                .values(3L, "done", 1L)
                .execute();

        opened.add(workerElsewhere().consume(handled::add));

        Awaitility.await().atMost(PATIENCE).until(() -> rows(answers).size() < 3);
        assertThat(rows(answers)).extracting(row -> row.get(answers.mail)).containsExactly(2L);
    }

    @Test
    void aDeadLetterThatIsReplayedUnderItsIdHasNotEndedAnyMore() throws Exception {
        var inPlace = table.mapped(form).finishedAt(table.endedAt).resultsIn(answers.results());
        var kept = queue(here, form == LockForm.ADVISORY ? inPlace.lockKey(table.id) : inPlace);
        var receipt = kept.enqueue("question");
        var rejecting = worker(kept).handle(delivery -> Outcome.reject("not today"));
        assertThat(receipt.await(PATIENCE)).contains(new Result(Kind.REJECTED, Optional.empty()));
        rejecting.close();

        assertThat(kept.deadLetters().replay(receipt.id())).isTrue();

        assertThat(kept.result(receipt.id())).isEmpty();
        opened.add(worker(kept).consume(handled::add));
        assertThat(receipt.await(PATIENCE)).contains(DONE);
    }

    @Test
    void aValueThatIsTooLongFailsItsHandler() throws Exception {
        var receipt = queue.enqueue("question");
        opened.add(workerElsewhere()
                .retry(RetryPolicy.fixed(Duration.ofHours(1)))
                .handle(delivery -> Outcome.done("\u00e4".repeat(32_769))));

        recorder.await("retried");

        assertThat(error(receipt)).contains("65,538 bytes", "65,536");
        assertThat(rows(answers)).isEmpty();
    }

    @Test
    void theLongestValueIsKeptAsItIs() throws Exception {
        var longest = "\ud83d\udceb".repeat(16_384);
        var receipt = queue.enqueue("question");
        opened.add(workerElsewhere().handle(delivery -> Outcome.done(longest)));

        assertThat(receipt.await(PATIENCE)).contains(new Result(Kind.DONE, Optional.of(longest)));
    }

    @Test
    void aValueThatIsTooLongForItsColumnFailsItsHandlerAndUndoesWhatItWrote() throws Exception {
        var narrow = DSL.field(name("answer"), SQLDataType.VARCHAR(3));
        var results = ResultTable.of(answers, answers.mail, answers.how, narrow, answers.keepUntil);
        var short3 = queue(here, mapped(results));
        var receipt = short3.enqueue("question");
        opened.add(worker(queue(instance(), mapped(results)))
                .retry(RetryPolicy.fixed(Duration.ofHours(1)))
                .transact((tx, delivery) -> {
                    short3.enqueue(tx, "undone");
                    return Outcome.done("long");
                }));

        recorder.await("retried");

        assertThat(error(receipt)).contains("4 characters", "its column holds 3");
        assertThat(rows(table)).hasSize(1);
    }

    @Test
    void aValueWithNulFailsItsHandler() throws Exception {
        var receipt = queue.enqueue("question");
        opened.add(workerElsewhere()
                .retry(RetryPolicy.fixed(Duration.ofHours(1)))
                .handle(delivery -> Outcome.done("a\0b")));

        recorder.await("retried");

        assertThat(error(receipt)).contains("NUL");
    }

    @Test
    void aValueThatTheDatabaseRefusesFailsItsHandlerAndNobodyElses() throws Exception {
        var refused = queue.enqueue(AnswerTable.FORBIDDEN);
        var fine = queue.enqueue("fine");
        opened.add(workerElsewhere()
                .retry(RetryPolicy.fixed(Duration.ofHours(1)))
                .handleAll(
                        2,
                        batch -> Outcomes.each(batch.stream()
                                .map(delivery -> Outcome.done(delivery.payload()))
                                .toList())));

        recorder.await("retried");

        assertThat(error(refused)).isNotEmpty();
        assertThat(fine.await(PATIENCE)).contains(new Result(Kind.DONE, Optional.of("fine")));
        assertThat(queue.result(refused.id())).isEmpty();
    }

    @Test
    void whileTheDatabaseIsAwayAWaitEndsWithItsTimeAndGoesOnWhereThereIsMore() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var unsteady = Queue.builder(
                        DSL.using(switched.dataSource(), dialect()), mapped(answers.results()), queue.name())
                .time(time)
                .build();
        var receipt = unsteady.enqueue("question");
        switched.off();
        var future = receipt.future();

        assertThat(receipt.await(Duration.ofMillis(200))).isEmpty();
        assertThat(switched.refused()).isPositive();
        assertThat(future).isNotDone();
        opened.add(workerElsewhere().consume(handled::add));
        recorder.await("done");
        switched.on();

        assertThat(result(future)).isEqualTo(DONE);
    }

    @Test
    void aTableThatDoesNotSayWhereResultsAreKeptRefusesToAwait() {
        var plain = queue(here, mapped());
        var receipt = plain.enqueue("question");

        assertThatThrownBy(() -> receipt.await(PATIENCE))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"%s\"".formatted(plain.name()), table.getName(), "resultsIn(..)");
        assertThatThrownBy(receipt::future).hasMessageContaining("resultsIn(..)");
        assertThatThrownBy(() -> plain.result(receipt.id())).hasMessageContaining("resultsIn(..)");
        assertThatThrownBy(plain::purgeResults).hasMessageContaining("resultsIn(..)");
    }

    @Test
    void whereNoResultsAreKeptAValueIsLeftOut() throws Exception {
        var plain = queue(here, mapped());
        plain.enqueue("question");
        opened.add(worker(plain).handle(delivery -> Outcome.done("for nobody")));

        recorder.await("done");

        assertThat(rows(table)).isEmpty();
        assertThat(rows(answers)).isEmpty();
    }

    @Test
    void aWorkerIsRefusedWhereResultsCannotBeWritten() {
        var gone = queue(here, mapped(new AnswerTable("nowhere").results()));

        assertThatThrownBy(() -> gone.worker().consume(handled::add))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"" + gone.name() + "\"", "nowhere", "answer", "resultsIn(..)");
    }

    @Test
    void aWorkerIsRefusedWhereAMessageCouldHaveTwoResults() {
        if (isMysqlFamily()) {
            return; // it would write two rows without a word
        }
        var bare = new AnswerTable(table.getName() + "_bare").createBare(here.dsl());
        var twice = queue(here, mapped(bare.results()));

        assertThatThrownBy(() -> twice.worker().consume(handled::add))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll(bare.getName(), "unique index on mail");
    }

    private void awaitNobodyWaiting() {
        var waiting = "queue-%s-await".formatted(queue.name());
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals(waiting)));
    }

    private String error(Receipt receipt) {
        return rows(table).stream()
                .filter(row -> receipt.id().equals(row.get(table.id)))
                .findFirst()
                .orElseThrow()
                .get(table.lastError);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    private static <R> R result(CompletableFuture<R> future) throws Exception {
        return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private QueueTable<String> mapped(ResultTable results) {
        return mapped().resultsIn(results);
    }

    private QueueTable<String> mapped() {
        var mapped = table.mapped(form).deadLetters(dead.graves());
        return form == LockForm.ADVISORY ? mapped.lockKey(table.id) : mapped;
    }

    /** Named like its table, so that nobody else waits under its name. */
    private Queue<String> queue(Instance instance, QueueTable<String> mapped) {
        return instance.queue(mapped, table.getName(), time);
    }

    private Queue<String> elsewhere() {
        return queue(instance(), mapped(answers.results().keepFor(KEPT)));
    }

    private WorkerBuilder<String> workerElsewhere() {
        return worker(elsewhere());
    }

    private WorkerBuilder<String> worker(Queue<String> of) {
        return of.worker().pollInterval(POLL).events(recorder);
    }
}
