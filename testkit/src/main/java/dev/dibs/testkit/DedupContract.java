package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.Receipt;
import dev.dibs.RetryPolicy;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * What a dedup key promises, on every database: while a message of a key is unfinished, there is no second one.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
public abstract class DedupContract extends TableContract {

    private WideTable table;
    private Queue<String> queue;

    /** The contract on a database, in a form. */
    protected DedupContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @BeforeEach
    void createTable() {
        table = made();
        queue = mail(table.mapped(form));
    }

    @Test
    void aMessageEnqueuedTwiceIsThereOnceAndTheSecondReceiptIsThatOfTheFirst() {
        var first = queue.enqueue(keyed("first", "k"));
        var second = queue.enqueue(keyed("second", "k"));
        var other = queue.enqueue(keyed("other", "K2"));
        var unkeyed = queue.enqueue("unkeyed");

        assertThat(first.isNew()).isTrue();
        assertThat(second).returns(first.id(), Receipt::id).returns(false, Receipt::isNew);
        assertThat(other.isNew()).isTrue();
        assertThat(unkeyed.isNew()).isTrue();
        assertThat(bodies()).containsExactlyInAnyOrder("first", "other", "unkeyed");
    }

    @Test
    void eachQueueOfATableHasKeysOfItsOwn() {
        queue.enqueue(keyed("letter", "k"));

        var box = here.queue(table.mapped(form), "parcels", time).enqueue(keyed("box", "k"));

        assertThat(box.isNew()).isTrue();
        assertThat(bodies()).containsExactlyInAnyOrder("letter", "box");
    }

    @Test
    void aTransactionGoesOnAfterADuplicate() {
        var first = queue.enqueue(keyed("first", "k"));
        here.dsl().transaction(tx -> {
            assertThat(queue.enqueue(tx, keyed("second", "k")))
                    .returns(first.id(), Receipt::id)
                    .returns(false, Receipt::isNew);
            assertThat(queue.enqueue(tx, keyed("third", "k3")).isNew()).isTrue();
            assertThat(queue.enqueue(tx, keyed("fourth", "k3")).isNew()).isFalse();
            queue.enqueueMessages(tx, List.of(keyed("fifth", "k"), keyed("sixth", "k6"), Message.of("seventh")));
        });

        assertThat(bodies()).containsExactlyInAnyOrder("first", "third", "sixth", "seventh");
    }

    @Test
    void aBulkLeavesOutWhatIsThereAndWhatItHoldsTwice() {
        queue.enqueue(keyed("there", "k1"));

        queue.enqueueMessages(List.of(
                keyed("again", "k1"),
                keyed("one", "k2"),
                Message.of("unkeyed"),
                keyed("two", "k2"),
                Message.of("unkeyed"),
                keyed("three", "k3")));

        assertThat(bodies()).containsExactlyInAnyOrder("there", "one", "unkeyed", "unkeyed", "three");
    }

    @Test
    void aBulkKeepsTheOrderOfItsMessages() {
        queue.enqueueMessages(
                List.of(keyed("1", "z"), Message.of("2"), keyed("3", "a"), keyed("x", "z"), keyed("4", "m")));

        assertThat(here.dsl().select(table.body).from(table).orderBy(table.id).fetch(table.body))
                .containsExactly("1", "2", "3", "4");
    }

    @Test
    void aKeyWhoseMessageIsRolledBackGoesToWhoeverWaitsForIt() throws Exception {
        var waiting = meanwhile(
                () -> queue.enqueue(keyed("ours", "k")),
                outcome -> assertThatThrownBy(() -> here.dsl().transaction(tx -> {
                            queue.enqueue(tx, keyed("theirs", "k"));
                            outcome.run();
                            throw new IllegalStateException("changed my mind");
                        }))
                        .hasMessageContaining("changed my mind"));

        assertThat(waiting.get(30, TimeUnit.SECONDS).isNew()).isTrue();
        assertThat(bodies()).containsExactly("ours");
    }

    @Test
    void aKeyWhoseMessageIsCommittedIsFoundByWhoeverWaitsForIt() throws Exception {
        var waiting = meanwhile(
                () -> queue.enqueue(keyed("ours", "k")),
                outcome -> here.dsl().transaction(tx -> {
                    queue.enqueue(tx, keyed("theirs", "k"));
                    outcome.run();
                }));

        assertThat(waiting.get(30, TimeUnit.SECONDS).isNew()).isFalse();
        assertThat(bodies()).containsExactly("theirs");
    }

    /** For databases whose transactions look into the past and still write. */
    protected void aDuplicateIsFoundWhateverTheSnapshotOfTheTransaction() {
        here.dsl().transaction(tx -> {
            tx.dsl().selectFrom(table).fetch(); // the snapshot
            var theirs = queue.enqueue(keyed("theirs", "k"));

            assertThat(queue.enqueue(tx, keyed("ours", "k")))
                    .returns(theirs.id(), Receipt::id)
                    .returns(false, Receipt::isNew);
        });
    }

    @RepeatedTest(5)
    void ofManyWhoEnqueueOneKeyAtOnceOneWritesIt() throws Exception {
        var elsewhere = instance().queue(table.mapped(form), "mail", time);
        var receipts = atOnce(IntStream.range(0, 8)
                .<Callable<Receipt>>mapToObj(n -> () -> (n % 2 == 0 ? queue : elsewhere).enqueue(keyed("n" + n, "k")))
                .toList());

        assertThat(receipts).filteredOn(Receipt::isNew).hasSize(1);
        assertThat(receipts)
                .extracting(Receipt::id)
                .containsOnly(receipts.get(0).id());
        assertThat(rows(table)).hasSize(1);
    }

    @RepeatedTest(5)
    void aKeyThatIsEnqueuedAndHandledAtOnceIsHandledAsOftenAsItWasNew() throws Exception {
        opened.add(queue.worker().concurrency(2).events(recorder).consume(payload -> {}));
        var receipts = atOnce(IntStream.range(0, 4)
                        .<Callable<List<Receipt>>>mapToObj(n -> () -> IntStream.range(0, 25)
                                .mapToObj(m -> queue.enqueue(keyed("x", "k")))
                                .toList())
                        .toList())
                .stream()
                .flatMap(List::stream)
                .toList();
        var written = receipts.stream().filter(Receipt::isNew).toList();

        recorder.await("done", written.size());

        assertThat(recorder.done()).hasSize(written.size());
        assertThat(recorder.done().keySet())
                .containsAll(receipts.stream().map(Receipt::id).toList());
        assertThat(rows(table)).isEmpty();
    }

    @RepeatedTest(5)
    void bulksOfTheSameKeysInReversedOrderAllGetThrough() throws Exception {
        var messages =
                IntStream.range(0, 700).mapToObj(n -> keyed("x", "k" + n)).toList();
        var reversed = new ArrayList<>(messages);
        Collections.reverse(reversed);

        atOnce(List.<Callable<Boolean>>of(
                () -> enqueued(messages), () -> enqueued(reversed), () -> enqueued(messages)));

        assertThat(rows(table)).hasSize(700);
    }

    @Test
    void aKeyIsFreeAgainOnceItsMessageIsDone() throws Exception {
        for (var mapping : List.of(table.mapped(form), table.mapped(form).finishedAt(table.endedAt))) {
            var keeping = mail(mapping);
            var first = keeping.enqueue(keyed("first", "k"));
            var worker = keeping.worker().events(recorder).consume(payload -> {});
            recorder.await("done");
            worker.close();

            var second = keeping.enqueue(keyed("second", "k"));

            assertThat(second.isNew()).isTrue();
            assertThat(second.id()).isNotEqualTo(first.id());
            here.dsl().deleteFrom(table).execute();
        }
    }

    @Test
    void aKeyIsFreeAgainOnceItsMessageIsDead() throws Exception {
        var dead = unmade().createBare(here.dsl());
        for (var mapping : List.of(
                table.mapped(form).deadLetters(dead.graves()),
                table.mapped(form).deadQueue("dead"),
                table.mapped(form).finishedAt(table.endedAt))) {
            var queue = mail(mapping);
            opened.add(queue.worker().pollInterval(POLL).events(recorder).handle(delivery -> Outcome.reject("no")));
            for (int time = 0; time < 3; time++) {
                assertThat(queue.enqueue(keyed("again", "k")).isNew()).isTrue();
                recorder.await("deadLettered");
            }
            closeAll();
            opened.clear();
            here = instance();
        }

        assertThat(rows(dead))
                .hasSize(3)
                .allSatisfy(row -> assertThat(row.get(dead.once)).isEqualTo("k"));
        assertThat(rows(table)).hasSize(6);
    }

    @Test
    void aKeyIsNotFreeWhileItsMessageIsTriedAgain() throws Exception {
        var first = queue.enqueue(keyed("first", "k"));
        var worker = queue.worker()
                .retry(RetryPolicy.fixed(Duration.ofHours(1)).withoutLimit())
                .events(recorder)
                .handle(delivery -> Outcome.retry("later"));
        recorder.await("retried");
        worker.close();

        assertThat(queue.enqueue(keyed("second", "k")))
                .returns(first.id(), Receipt::id)
                .returns(false, Receipt::isNew);
    }

    @Test
    void aKeyThatIsTooLongIsRefused() {
        queue.enqueue(keyed("fits", "\ud83d\udd11".repeat(WideTable.LONGEST_KEY)));

        assertThatThrownBy(() -> queue.enqueue(keyed("x", "k".repeat(WideTable.LONGEST_KEY + 1))))
                .hasMessageContainingAll("queue \"mail\"", table.getName(), "41 characters", "once holds 40");

        assertThat(bodies()).containsExactly("fits");
    }

    @Test
    void aTableWithoutTheUniqueIndexIsRefusedWithTheStatementThatMakesIt() {
        var bare = unmade().createBare(here.dsl());
        here.dsl()
                .createUniqueIndex(DSL.name(bare.getName() + "_other"))
                .on(bare, bare.once, bare.topic, bare.urgency)
                .execute();
        var bareQueue = mail(bare.mapped(form));

        assertThatThrownBy(() -> bareQueue.worker().consume(payload -> {}))
                .hasMessageContainingAll("queue \"mail\"", bare.getName(), "create unique index", "topic", "once");
        assertThatThrownBy(() -> bareQueue.enqueue(keyed("x", "k"))).hasMessageContaining("create unique index");
        assertThat(rows(bare)).isEmpty();

        here.dsl().execute(statement(bareQueue));
        assertThat(bareQueue.enqueue(keyed("x", "k")).isNew()).isTrue();
        assertThat(bareQueue.enqueue(keyed("x", "k")).isNew()).isFalse();
        opened.add(bareQueue.worker().consume(payload -> {}));
    }

    private static String statement(Queue<String> queue) {
        try {
            queue.enqueue(keyed("x", "k"));
            throw new AssertionError("it was to be refused");
        } catch (RuntimeException refused) {
            var message = String.valueOf(refused.getMessage());
            return message.substring(message.indexOf("create unique index"));
        }
    }

    @Test
    void withoutAQueuePartAKeyIsUniqueInTheTable() {
        var bare = unmade().createBare(here.dsl());
        here.dsl()
                .createUniqueIndex(DSL.name(bare.getName() + "_once"))
                .on(bare, bare.once)
                .execute();
        var whole = bare.held(form, QueueTable.of(bare, bare.id, bare.body).dedupKey(bare.once));

        var first = here.queue(whole, "one", time).enqueue(keyed("first", "k"));

        assertThat(here.queue(whole, "other", time).enqueue(keyed("second", "k")))
                .returns(first.id(), Receipt::id)
                .returns(false, Receipt::isNew);
    }

    @Test
    void aConflictAboutSomethingElseIsAnError() {
        here.dsl()
                .createUniqueIndex(DSL.name(table.getName() + "_remark"))
                .on(table, table.urgency)
                .execute();
        queue.enqueue(keyed("first", "k1").priority(1));

        assertThatThrownBy(() -> queue.enqueue(keyed("second", "k2").priority(1)))
                .hasMessageContainingAll("queue \"mail\"", "refused");
        assertThatThrownBy(() -> queue.enqueueMessages(List.of(
                        keyed("third", "k3").priority(3), keyed("fourth", "k4").priority(1))))
                .hasMessageContainingAll("queue \"mail\"", "refused");
        assertThatThrownBy(() -> queue.enqueueMessages(List.of(
                        keyed("fifth", "k5").priority(5), Message.of("sixth").priority(1))))
                .hasMessageContainingAll("queue \"mail\"", "refused");

        assertThat(bodies()).containsExactly("first");
    }

    private boolean enqueued(List<Message<String>> messages) {
        queue.enqueueMessages(messages);
        return true;
    }

    private List<String> bodies() {
        return here.dsl().select(table.body).from(table).fetch(table.body);
    }

    private static Message<String> keyed(String text, String key) {
        return Message.of(text).dedupKey(key);
    }

    /** Begins something of ours when a transaction of theirs has come to its end. */
    private <R> Future<R> meanwhile(Callable<R> ours, Consumer<Runnable> theirs) {
        var threads = Executors.newSingleThreadExecutor();
        opened.add(threads::shutdownNow);
        var started = new CompletableFuture<Future<R>>();
        theirs.accept(() -> {
            var running = new CountDownLatch(1);
            started.complete(threads.submit(() -> {
                running.countDown();
                return ours.call();
            }));
            try {
                running.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        return started.join();
    }

    private <R> List<R> atOnce(List<Callable<R>> tasks) throws InterruptedException, ExecutionException {
        var threads = Executors.newFixedThreadPool(tasks.size());
        opened.add(threads::shutdownNow);
        var results = new ArrayList<R>();
        for (var done : threads.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
            results.add(done.get());
        }
        return results;
    }
}
