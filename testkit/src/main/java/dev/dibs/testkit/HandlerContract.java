package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Delivery;
import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Outcomes;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.WorkerBuilder;
import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.Configuration;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every lock form promises to handlers of batches, and to those that write in the transaction of their message. */
abstract class HandlerContract extends GuaranteeContract {

    static final Table<Record> LEDGER = DSL.table(DSL.name("ledger"));
    static final Field<String> ENTRY = DSL.field(DSL.name("ledger", "entry"), SQLDataType.VARCHAR(60));

    Queue<String> queue;

    HandlerContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @BeforeEach
    void createTheLedger() {
        here.dsl().createTable(LEDGER).columns(ENTRY).unique(ENTRY).execute();
        queue = here.queue(table, "mail", time);
    }

    @Test
    void whatATransactionalHandlerWritesIsCommittedWithTheEndOfItsMessage() throws Exception {
        queue.enqueueAll(numbered(3));

        opened.add(worker().concurrency(2).transact((tx, delivery) -> {
            write(tx, delivery.payload());
            return Outcome.done();
        }));
        recorder.await("done", 3);

        assertThat(ledger()).containsExactlyInAnyOrderElementsOf(numbered(3));
        assertThat(rows(jobs)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "retryIn", "reject", "drop", "throw"})
    void whatATransactionalHandlerWroteIsUndoneUnlessItsMessageIsDone(String end) throws Exception {
        queue.enqueue(end);

        opened.add(worker().retry(RetryPolicy.fixed(Duration.ofHours(1))).transact((tx, delivery) -> {
            write(tx, delivery.payload());
            return switch (delivery.payload()) {
                case "retry" -> Outcome.retry("not yet");
                case "retryIn" -> Outcome.retryIn(Duration.ofHours(1));
                case "reject" -> Outcome.reject("unwanted");
                case "drop" -> Outcome.drop();
                default -> throw new IllegalStateException("broken");
            };
        }));
        recorder.awaitSettled(1);

        assertThat(ledger()).isEmpty();
        assertThat(rows(jobs)).hasSize(end.equals("reject") || end.equals("drop") ? 0 : 1);
        assertThat(rows(dead)).hasSize(end.equals("reject") ? 1 : 0);
    }

    @Test
    void aMessageEnqueuedInAHandlersTransactionIsThereIfAndOnlyIfItIsDone() throws Exception {
        var next = here.queue(table, "parcels", time);
        queue.enqueueAll(List.of("kept", "undone"));

        opened.add(worker().retry(RetryPolicy.fixed(Duration.ofHours(1))).transact((tx, delivery) -> {
            next.enqueue(tx, "after " + delivery.payload());
            return delivery.payload().equals("kept") ? Outcome.done() : Outcome.retry("not yet");
        }));
        recorder.awaitSettled(2);

        assertThat(rows(jobs)).extracting(row -> row.get(jobs.body)).containsExactlyInAnyOrder("after kept", "undone");
    }

    @Test
    void aTransactionWithinAHandlersTransactionIsASavepointOfIt() throws Exception {
        queue.enqueue("outer");

        opened.add(worker().transact((tx, delivery) -> {
            write(tx, "outer");
            tx.dsl().transaction(inner -> {
                write(inner, "inner");
                inner.dsl().transaction(innermost -> write(innermost, "innermost"));
            });
            assertThatThrownBy(() -> tx.dsl().transaction(inner -> {
                        write(inner, "undone");
                        throw new IllegalStateException("changed my mind");
                    }))
                    .hasMessageContaining("changed my mind");
            return Outcome.done();
        }));
        recorder.await("done");

        assertThat(ledger()).containsExactlyInAnyOrder("outer", "inner", "innermost");
    }

    @Test
    void aHandlerThatSwallowsAnErrorOfTheDatabaseCommitsNothingHalf() throws Exception {
        here.dsl().insertInto(LEDGER, ENTRY).values("twice").execute();
        queue.enqueue("careless");

        opened.add(worker().retry(RetryPolicy.fixed(Duration.ofHours(1))).transact((tx, delivery) -> {
            write(tx, "before");
            assertThatThrownBy(() -> write(tx, "twice")).isInstanceOf(DataAccessException.class);
            return Outcome.done();
        }));
        recorder.awaitSettled(1);

        // PostgreSQL refuses to go on after an error, so the work has failed; the others lost the one statement only.
        var failed = address.dialect() == SQLDialect.POSTGRES;
        assertThat(ledger()).isEqualTo(failed ? List.of("twice") : List.of("before", "twice"));
        assertThat(rows(jobs)).hasSize(failed ? 1 : 0);
    }

    @Test
    void aTransactionalHandlersConnectionGoesBackAsItCame() throws Exception {
        var instance = instance();
        var own = instance.queue(table, "mail", time);
        own.enqueueAll(numbered(5));

        var worker = own.worker().concurrency(2).events(recorder).transact((tx, delivery) -> Outcome.done());
        recorder.await("done", 5);
        worker.close();

        var connections = instance.pool().getHikariPoolMXBean();
        assertThat(connections.getActiveConnections()).isZero();
        for (int each = 0; each < connections.getTotalConnections(); each++) {
            try (var connection = instance.pool().getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
            }
        }
    }

    @Test
    void aBatchHandlerGetsUpToSoManyMessagesInClaimOrder() throws Exception {
        queue.enqueueAll(numbered(10));
        var batches = new LinkedBlockingQueue<List<String>>();

        opened.add(worker().consumeAll(4, batches::add));
        recorder.await("done", 10);

        assertThat(batches)
                .containsExactly(List.of("1", "2", "3", "4"), List.of("5", "6", "7", "8"), List.of("9", "10"));
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void severalBatchesAreHandledAtOnceAndEachMessageOnce() throws Exception {
        var database = here.queue(table, "mail", TimeSource.database());
        database.enqueueAll(numbered(100));
        var seen = new LinkedBlockingQueue<String>();

        opened.add(database.worker().concurrency(3).events(recorder).consumeAll(7, seen::addAll));
        recorder.await("done", 100);

        assertThat(seen).containsExactlyInAnyOrderElementsOf(numbered(100));
    }

    @Test
    void aBatchHandlerAnswersForEachMessage() throws Exception {
        queue.enqueueAll(List.of("done", "retry", "reject"));

        opened.add(worker().retry(RetryPolicy.fixed(Duration.ofHours(1)))
                .handleAll(
                        5,
                        deliveries -> Outcomes.each(deliveries.stream()
                                .map(HandlerContract::outcome)
                                .toList())));
        recorder.awaitSettled(3);

        assertThat(rows(jobs)).extracting(row -> row.get(jobs.body)).containsExactly("retry");
        assertThat(rows(dead)).extracting(row -> row.get(dead.body)).containsExactly("reject");
    }

    @Test
    void aBatchThatThrowsIsTriedAgainAsAWhole() throws Exception {
        queue.enqueueAll(numbered(3));

        opened.add(worker().retry(RetryPolicy.fixed(Duration.ofHours(1))).consumeAll(3, payloads -> {
            throw new IllegalStateException("no network");
        }));
        recorder.await("retried", 3);

        assertThat(rows(jobs)).hasSize(3).allSatisfy(row -> {
            assertThat(row.get(jobs.lastError)).contains("no network");
            assertThat(row.get(jobs.tries)).isOne();
        });
    }

    @Test
    void messagesThatABatchHandlerLeavesOutAreTriedAgain() throws Exception {
        queue.enqueueAll(numbered(3));

        opened.add(worker().retry(RetryPolicy.fixed(Duration.ofHours(1)))
                .handleAll(3, deliveries -> Outcomes.each(List.of(Outcome.done()))));
        recorder.awaitSettled(3);

        assertThat(rows(jobs)).extracting(row -> row.get(jobs.body)).containsExactly("2", "3");
        assertThat(rows(jobs).get(0).get(jobs.lastError)).contains("1 outcomes for 3 messages");
    }

    @Test
    void anUnreadableMessageDoesNotTakeItsBatchAlong() throws Exception {
        var numbers = jobs.mapped(form, jobs.body.convert(Integer.class, Integer::valueOf, String::valueOf), dead);
        queue.enqueueAll(List.of("1", "two", "3"));
        var seen = new LinkedBlockingQueue<List<Integer>>();

        opened.add(here.queue(numbers, "mail", time).worker().events(recorder).consumeAll(5, seen::add));
        recorder.awaitSettled(3);

        assertThat(seen).containsExactly(List.of(1, 3));
        assertThat(rows(dead)).extracting(row -> row.get(dead.body)).containsExactly("two");
    }

    @Test
    void aMessageThatCannotBeSettledDoesNotTakeItsBatchAlong() throws Exception {
        queue.enqueueAll(numbered(3));
        var second = rows(jobs).get(1).get(jobs.jobId);
        here.dsl()
                .insertInto(dead, dead.jobId, dead.body, dead.topic, dead.retryAfter)
                .values(second, "in the way", "mail", 0L)
                .execute();

        var worker = worker().handleAll(3, deliveries -> Outcomes.all(Outcome.reject("unwanted")));
        opened.add(worker);
        var failed = recorder.await("settlementFailed");
        recorder.awaitSettled(2);
        worker.close();

        assertThat(failed.id()).isEqualTo(second);
        assertThat(rows(jobs)).extracting(row -> row.get(jobs.body)).containsExactly("2");
        assertThat(rows(dead)).extracting(row -> row.get(dead.body)).containsExactlyInAnyOrder("1", "in the way", "3");
    }

    @Test
    void aTransactionalBatchIsDoneAsAWholeOrNotAtAll() throws Exception {
        queue.enqueueMessages(IntStream.rangeClosed(1, 4)
                .mapToObj(number -> Message.of("m" + number))
                .toList());
        var sizes = new LinkedBlockingQueue<Integer>();

        opened.add(worker().pollInterval(POLL)
                .retry(RetryPolicy.fixed(Duration.ZERO))
                .transactAll(4, (tx, deliveries) -> {
                    sizes.add(deliveries.size());
                    deliveries.forEach(delivery -> write(tx, delivery.payload()));
                    return sizes.size() == 1 ? Outcome.retry("not yet") : Outcome.done();
                }));
        recorder.await("done", 4);

        assertThat(sizes).containsExactly(4, 4);
        assertThat(ledger()).containsExactly("m1", "m2", "m3", "m4");
        assertThat(rows(jobs)).isEmpty();
    }

    WorkerBuilder<String> worker() {
        return queue.worker().events(recorder);
    }

    static void write(Configuration tx, String entry) {
        tx.dsl().insertInto(LEDGER, ENTRY).values(entry).execute();
    }

    List<String> ledger() {
        return here.dsl().select(ENTRY).from(LEDGER).orderBy(ENTRY).fetch(ENTRY);
    }

    private static Outcome outcome(Delivery<String> delivery) {
        return Stream.of(Outcome.done(), Outcome.retry("later"), Outcome.reject("unwanted"))
                .filter(outcome -> outcome.getClass().getSimpleName().equalsIgnoreCase(delivery.payload()))
                .findFirst()
                .orElseThrow();
    }
}
