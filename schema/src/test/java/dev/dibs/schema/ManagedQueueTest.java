package dev.dibs.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.Result;
import dev.dibs.RetryPolicy;
import dev.dibs.table.OrderPolicy;
import dev.dibs.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jooq.Converter;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The managed tables, created by their migrations, as queues. */
final class ManagedQueueTest {

    private static final long PATIENCE_SECONDS = 60;

    private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    static Stream<TestDatabase> databases() {
        return Stream.of(
                TestDatabase.postgresql(), TestDatabase.mysql(), TestDatabase.mariadb(), TestDatabase.sqlite());
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aConvertedPayloadComesBackAsItWasEnqueued(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var pool = address.pool(3)) {
            QueueSchema.migrate(pool);
            var table = ManagedQueue.of(
                    Converter.ofNullable(String.class, Duration.class, Duration::parse, Duration::toString));
            var queue = Queue.of(DSL.using(pool, address.dialect()), table, "naps");
            queue.enqueue(Duration.ofMinutes(20));
            var worker = queue.worker().consume(seen::add);

            assertThat(next()).isEqualTo(Duration.ofMinutes(20));
            worker.close();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aSpentMessageIsInTheManagedDeadLettersWithItsReason(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var pool = address.pool(3)) {
            QueueSchema.migrate(pool);
            var dsl = DSL.using(pool, address.dialect());
            spend(Queue.of(dsl, ManagedQueue.ofText(), "naps"));

            assertThat(dsl.fetchCount(DSL.table("dibs_message"))).isZero();
            assertThat(dsl.fetchSingle("select queue, payload, priority, attempt, reason from dibs_dead_letter")
                            .intoMap())
                    .containsEntry("queue", "naps")
                    .containsEntry("payload", "too short")
                    .containsEntry("priority", 3)
                    .containsEntry("attempt", 2)
                    .hasEntrySatisfying(
                            "reason", reason -> assertThat(reason).asString().contains("still tired"));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void anotherPrefixAndSchemaServeAsWell(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var pool = address.pool(3)) {
            var schema = address.dialect() == SQLDialect.SQLITE
                    ? null
                    : "My-App " + address.url().hashCode();
            var migration = QueueSchema.builder(pool).prefix("Order Group-");
            (schema == null ? migration : migration.schema(schema)).migrate();
            var table = ManagedQueue.named("Order Group-", schema).text();

            spend(Queue.of(DSL.using(pool, address.dialect()), table, "naps"));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aPlainInsertOfAForeignWriterIsHandled(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var pool = address.pool(3)) {
            QueueSchema.migrate(pool);
            var dsl = DSL.using(pool, address.dialect());
            dsl.execute("insert into dibs_message (queue, payload) values ('naps', 'by hand')");
            var worker = Queue.of(dsl, ManagedQueue.ofText(), "naps").worker().consume(seen::add);

            assertThat(next()).isEqualTo("by hand");
            worker.close();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void messagesOfOneOrderKeyGoInTheirOrderAndTakeTheKeyToTheDeadLetters(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var pool = address.pool(4)) {
            QueueSchema.migrate(pool);
            var dsl = DSL.using(pool, address.dialect());
            var ordered =
                    ManagedQueue.named("dibs_", null).ordered(OrderPolicy.BLOCK).text();
            var queue = Queue.of(dsl, ordered, "naps");
            queue.enqueueMessages(List.of(
                    Message.of("first").orderKey("cat").priority(9),
                    Message.of("second").orderKey("cat").priority(1)));
            var worker = queue.worker().concurrency(2).handle(delivery -> {
                seen.add(delivery.payload());
                return Outcome.reject("no bed");
            });

            assertThat(next()).isEqualTo("first");
            assertThat(next()).isEqualTo("second");
            worker.close();
            assertThat(dsl.fetch("select order_key from dibs_dead_letter").getValues(0, String.class))
                    .containsExactly("cat", "cat");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aDedupKeyAndHeadersAreKeptByTheManagedTablesAndTheirDeadLetters(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var pool = address.pool(3)) {
            QueueSchema.migrate(pool);
            var dsl = DSL.using(pool, address.dialect());
            var queue = Queue.of(dsl, ManagedQueue.ofText(), "naps");
            var message = Message.of("once").dedupKey("k").header("a", "b");
            var first = queue.enqueue(message);
            var second = queue.enqueue(message);
            var createdAt = dsl.fetchValue("select created_at from dibs_message");
            var worker = queue.worker().handle(delivery -> {
                seen.add(delivery.headers());
                return Outcome.reject("too short");
            });
            assertThat(next()).isEqualTo(Map.of("a", "b"));
            worker.close();

            assertThat(second.id()).isEqualTo(first.id());
            assertThat(second.isNew()).isFalse();
            assertThat(dsl.fetchSingle("select dedup_key, headers, created_at from dibs_dead_letter")
                            .intoMap())
                    .containsEntry("dedup_key", "k")
                    .containsEntry("headers", "{\"a\":\"b\"}")
                    .containsEntry("created_at", createdAt);
            assertThat(queue.enqueue(message).isNew()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aManagedDeadLetterBecomesAMessageAgain(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var pool = address.pool(3)) {
            QueueSchema.migrate(pool);
            var dsl = DSL.using(pool, address.dialect());
            var queue = Queue.of(
                    dsl,
                    ManagedQueue.named("dibs_", null)
                            .ordered(OrderPolicy.OVERTAKE)
                            .text(),
                    "naps");
            var message = Message.of("once more")
                    .dedupKey("k")
                    .orderKey("cat")
                    .priority(3)
                    .header("a", "b");
            var id = queue.enqueue(message).id();
            var createdAt = dsl.fetchValue("select created_at from dibs_message");
            reject(queue);

            assertThat(queue.deadLetters().list(9)).singleElement().satisfies(letter -> {
                assertThat(letter.payload()).isEqualTo("once more");
                assertThat(letter.error()).hasValue("too short");
                assertThat(letter.diedAt()).isPresent();
            });
            assertThat(queue.deadLetters().replay(id)).isTrue();

            assertThat(queue.deadLetters().count()).isZero();
            assertThat(dsl.fetchSingle("select * from dibs_message").intoMap())
                    .containsEntry("queue", "naps")
                    .containsEntry("payload", "once more")
                    .containsEntry("priority", 3)
                    .containsEntry("attempt", 0)
                    .containsEntry("dedup_key", "k")
                    .containsEntry("order_key", "cat")
                    .containsEntry("headers", "{\"a\":\"b\"}")
                    .containsEntry("created_at", createdAt)
                    .containsEntry("error", null)
                    .containsEntry("leased_until", null)
                    .hasEntrySatisfying("id", fresh -> assertThat(fresh).isNotEqualTo(id))
                    .hasEntrySatisfying("due_at", due -> assertThat((Long) due).isGreaterThan((Long) createdAt));
            assertThat(queue.enqueue(message).isNew()).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void managedDeadLettersArePurgedByTheirAge(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var pool = address.pool(3)) {
            QueueSchema.migrate(pool);
            var dsl = DSL.using(pool, address.dialect());
            var queue = Queue.of(dsl, ManagedQueue.ofText(), "naps");
            queue.enqueue("too short");
            reject(queue);

            assertThat(queue.deadLetters().purge(Duration.ofHours(1))).isZero();
            dsl.execute("update dibs_dead_letter set died_at = died_at - 3600000000");
            assertThat(queue.deadLetters().purge(Duration.ofHours(1))).isOne();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aManagedQueueIsPausedForAllInstancesUntilItIsResumed(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var here = address.pool(3);
                var there = address.pool(3)) {
            QueueSchema.migrate(here);
            var queue = Queue.of(DSL.using(here, address.dialect()), ManagedQueue.ofText(), "naps");
            var elsewhere = Queue.of(DSL.using(there, address.dialect()), ManagedQueue.ofText(), "naps");
            queue.pause();
            queue.enqueue("by day");
            var worker = elsewhere.worker().events(claims()).consume(seen::add);

            assertThat(next()).isEqualTo("claimed 0");
            assertThat(elsewhere.isPaused()).isTrue();
            assertThat(DSL.using(here, address.dialect())
                            .fetchSingle("select paused, paused_at, updated_at from dibs_queue where name = 'naps'")
                            .intoList())
                    .satisfiesExactly(
                            paused -> assertThat(paused).isEqualTo(1),
                            since -> assertThat(since).isNotNull(),
                            changed -> assertThat(changed).isNotNull());

            elsewhere.resume();
            var next = next();
            while (!next.equals("by day")) {
                assertThat(next).asString().startsWith("claimed");
                next = next();
            }
            worker.close();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aManagedQueueWithResultsTellsAnotherInstanceWhatCameOfAMessage(TestDatabase database) throws Exception {
        var address = database.newDatabase();
        try (var here = address.pool(3);
                var there = address.pool(3)) {
            QueueSchema.migrate(here);
            var table = ManagedQueue.named("dibs_", null)
                    .withResults(Duration.ofMinutes(5))
                    .text();
            var queue = Queue.of(DSL.using(here, address.dialect()), table, "sums");
            var receipt = queue.enqueue("6 * 7");
            var worker = Queue.of(DSL.using(there, address.dialect()), table, "sums")
                    .worker()
                    .handle(delivery -> Outcome.done("42"));

            assertThat(receipt.await(Duration.ofSeconds(PATIENCE_SECONDS)))
                    .contains(new Result(Result.Kind.DONE, Optional.of("42")));
            assertThat(queue.purgeResults()).isZero();
            assertThat(DSL.using(here, address.dialect())
                            .fetchSingle("select expires_at - finished_at from dibs_result")
                            .get(0, Long.class))
                    .isBetween(299_000_000L, 301_000_000L);
            worker.close();
        }
    }

    /** Lets a worker reject the one message of a queue. */
    private void reject(Queue<String> queue) throws InterruptedException {
        var worker = queue.worker()
                .events(new QueueEvents() {
                    @Override
                    public void deadLettered(String name, Object id, int attempt, String error) {
                        seen.add(error);
                    }
                })
                .handle(delivery -> Outcome.reject("too short"));
        assertThat(next()).isEqualTo("too short");
        worker.close();
    }

    private QueueEvents claims() {
        return new QueueEvents() {
            @Override
            public void claimed(String name, int rows) {
                seen.add("claimed " + rows);
            }
        };
    }

    /** Enqueues a message that fails until it is a dead letter. */
    private void spend(Queue<String> queue) throws InterruptedException {
        queue.enqueue(Message.of("too short").priority(3));
        var worker = queue.worker()
                .pollInterval(Duration.ofMillis(20))
                .retry(RetryPolicy.fixed(Duration.ZERO).attempts(2))
                .events(new QueueEvents() {
                    @Override
                    public void deadLettered(String name, Object id, int attempt, String error) {
                        seen.add(error);
                    }
                })
                .consume(payload -> {
                    throw new IllegalStateException("still tired");
                });
        assertThat(next()).asString().contains("still tired");
        worker.close();
    }

    private Object next() throws InterruptedException {
        var next = seen.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }
}
