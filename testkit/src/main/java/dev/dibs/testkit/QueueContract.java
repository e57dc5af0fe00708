package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Delivery;
import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.Worker;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Micros;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every lock form promises, on every database. */
abstract class QueueContract {

    static final Duration POLL = Duration.ofMillis(250);
    private static final AtomicInteger TABLES = new AtomicInteger();

    private final TestDatabase database;
    final MutableClock clock = MutableClock.at(Instant.parse("2026-03-01T12:00:00Z"));
    final TimeSource time = TimeSource.host(clock);
    final Recorder recorder = new Recorder();
    final List<AutoCloseable> opened = new ArrayList<>();
    Address address;
    JobTable jobs;
    JobTable dead;
    QueueTable<String> table;
    Instance here;

    final LockForm form;

    QueueContract(TestDatabase database, LockForm form) {
        this.database = database;
        this.form = form;
    }

    @BeforeEach
    void createTables() {
        address = database.newDatabase();
        here = instance();
        jobs = new JobTable("jobs_" + TABLES.incrementAndGet()).create(here.dsl());
        dead = new JobTable(jobs.getName() + "_dead").create(here.dsl());
        table = jobs.mapped(form, dead);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    @Test
    void twentyMessagesAreHandledOnceEachByTwoInstances() throws Exception {
        here.queue(table, "mail", time).enqueueAll(numbered(20));
        for (var instance : List.of(instance(), instance())) {
            opened.add(worker(instance.queue(table, "mail", time), 4));
        }

        recorder.await("done", 20);

        assertThat(recorder.done())
                .hasSize(20)
                .allSatisfy((id, times) -> assertThat(times).isOne());
        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void aRolledBackEnqueueIsNeverSeen() throws Exception {
        var queue = here.queue(table, "mail", time);
        assertThatThrownBy(() -> here.dsl().transaction(tx -> {
                    queue.enqueue(tx, "rolled back");
                    throw new IllegalStateException("changed my mind");
                }))
                .hasMessageContaining("changed my mind");
        here.dsl().transaction(tx -> queue.enqueue(tx, "committed"));
        var seen = new LinkedBlockingQueue<String>();
        opened.add(queue.worker().events(recorder).consume(seen::add));

        recorder.await("done");

        assertThat(seen).containsExactly("committed");
    }

    @Test
    void aBulkEnqueueThatFailsHalfWayLeavesNothing() {
        var queue = here.queue(table, "mail", time);
        var messages = new ArrayList<>(numbered(600).stream().map(Message::of).toList());
        messages.add(Message.of("one too many").priority(JobTable.MOST_PATIENT + 1));

        assertThatThrownBy(() -> queue.enqueueMessages(messages)).hasMessageContaining("queue \"mail\"");

        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void aFailedMessageIsNotDeliveredAgainBeforeItsDelayIsOver() throws Exception {
        var queue = here.queue(table, "mail", time);
        var deliveries = new LinkedBlockingQueue<Delivery<String>>();
        queue.enqueue("unlucky");
        opened.add(queue.worker()
                .pollInterval(POLL)
                .retry(RetryPolicy.fixed(Duration.ofMinutes(1)))
                .events(recorder)
                .handle(delivery -> {
                    deliveries.add(delivery);
                    return delivery.attempt() == 1 ? Outcome.retry("not yet") : Outcome.done();
                }));
        take(deliveries);
        recorder.await("retried");
        clock.advance(Duration.ofSeconds(59));
        recorder.await("claimed");
        recorder.await("claimed");
        assertThat(deliveries).isEmpty();
        clock.advance(Duration.ofSeconds(1));

        recorder.await("done");

        assertThat(take(deliveries).attempt()).isEqualTo(2);
    }

    @Test
    void aSpentMessageLandsInTheDeadLettersWithItsError() throws Exception {
        var queue = here.queue(table, "mail", time);
        var id = queue.enqueue("hopeless").id();
        opened.add(queue.worker()
                .pollInterval(POLL)
                .retry(RetryPolicy.fixed(Duration.ZERO).attempts(3))
                .events(recorder)
                .consume(payload -> {
                    throw new IllegalStateException("no such mailbox: \0 \ud83d\udceb");
                }));

        recorder.await("deadLettered");

        assertThat(rows(jobs)).isEmpty();
        assertThat(rows(dead)).singleElement().satisfies(row -> {
            assertThat(row.get(dead.jobId)).isEqualTo(id);
            assertThat(row.get(dead.body)).isEqualTo("hopeless");
            assertThat(row.get(dead.topic)).isEqualTo("mail");
            assertThat(row.get(dead.tries)).isEqualTo(3);
            assertThat(row.get(dead.lastError))
                    .contains("no such mailbox")
                    .contains("\ud83d\udceb")
                    .doesNotContain("\0");
            assertThat(row.get(dead.endedAt)).isNotNull();
        });
    }

    @Test
    void theHandlersOutcomeDecides() throws Exception {
        var queue = here.queue(table, "mail", time);
        Map<String, Outcome> outcomes = Map.of(
                "done", Outcome.done(),
                "drop", Outcome.drop(),
                "reject", Outcome.reject("unwanted"),
                "retry", Outcome.retry("later"),
                "retryIn", Outcome.retryIn(Duration.ofHours(1)));
        queue.enqueueAll(outcomes.keySet());
        opened.add(queue.worker()
                .retry(RetryPolicy.fixed(Duration.ofMinutes(1)))
                .events(recorder)
                .handle(delivery -> outcomes.getOrDefault(delivery.payload(), Outcome.drop())));

        recorder.awaitSettled(5);

        assertThat(rows(dead))
                .singleElement()
                .satisfies(row -> assertThat(row.get(dead.lastError)).isEqualTo("unwanted"));
        assertThat(rows(jobs).stream()
                        .collect(Collectors.toMap(row -> row.get(jobs.body), row -> row.get(jobs.retryAfter))))
                .containsOnlyKeys("retry", "retryIn")
                .containsEntry("retry", micros(clock.instant().plus(Duration.ofMinutes(1))))
                .containsEntry("retryIn", micros(clock.instant().plus(Duration.ofHours(1))));
    }

    @Test
    void aDelayedMessageWaitsForItsTime() throws Exception {
        var queue = here.queue(table, "mail", time);
        queue.enqueue(Message.of("tomorrow").delayed(Duration.ofDays(1)));
        queue.enqueue(Message.of("on the hour").dueAt(clock.instant().plus(Duration.ofHours(1))));
        var seen = new LinkedBlockingQueue<String>();
        opened.add(queue.worker().pollInterval(POLL).events(recorder).consume(seen::add));

        assertThat(recorder.await("claimed").detail()).isEqualTo("0");
        clock.advance(Duration.ofHours(1));
        recorder.await("done");
        assertThat(seen).containsExactly("on the hour");
        clock.advance(Duration.ofHours(23));
        recorder.await("done");
        assertThat(seen).containsExactly("on the hour", "tomorrow");
    }

    @Test
    void smallerPrioritiesGoFirstThenEarlierDueTimesThenIds() throws Exception {
        var queue = here.queue(table, "mail", time);
        var past = clock.instant().minusSeconds(60);
        queue.enqueueMessages(List.of(
                Message.of("4").priority(9).dueAt(past),
                Message.of("2").priority(1),
                Message.of("3").priority(1),
                Message.of("1").priority(1).dueAt(past),
                Message.of("5").priority(9)));
        var seen = new LinkedBlockingQueue<String>();
        opened.add(queue.worker().events(recorder).consume(seen::add));

        recorder.await("done", 5);

        assertThat(seen).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void rowsNotDueInAnUrgentPriorityDoNotHideReadyOnesOfTheNext() throws Exception {
        var queue = here.queue(table, "mail", time);
        queue.enqueueMessages(IntStream.range(0, 50)
                .mapToObj(number -> Message.of("later").priority(0).delayed(Duration.ofDays(1)))
                .toList());
        queue.enqueueMessages(
                numbered(5).stream().map(text -> Message.of(text).priority(7)).toList());
        var seen = new LinkedBlockingQueue<String>();
        opened.add(queue.worker().concurrency(4).events(recorder).consume(seen::add));

        recorder.await("done", 5);

        assertThat(seen).containsExactlyInAnyOrderElementsOf(numbered(5));
    }

    @Test
    void aReadyMessageBehindElevenHundredPrioritiesThatAreNotDueIsFound() throws Exception {
        var queue = here.queue(table, "mail", time);
        queue.enqueueMessages(IntStream.range(0, 1_100)
                .mapToObj(priority -> Message.of("later").priority(priority).delayed(Duration.ofDays(1)))
                .toList());
        queue.enqueue(Message.of("now").priority(1_100));
        var seen = new LinkedBlockingQueue<String>();
        opened.add(queue.worker().events(recorder).consume(seen::add));

        recorder.await("done");

        assertThat(seen).containsExactly("now");
    }

    @Test
    void otherQueuesOfTheTableAreLeftAlone() throws Exception {
        here.queue(table, "mail", time).enqueue("letter");
        here.queue(table, "parcels", time).enqueue("box");
        var seen = new LinkedBlockingQueue<String>();
        opened.add(here.queue(table, "mail", time).worker().events(recorder).consume(seen::add));

        recorder.await("done");

        assertThat(seen).containsExactly("letter");
        assertThat(rows(jobs))
                .singleElement()
                .satisfies(row -> assertThat(row.get(jobs.body)).isEqualTo("box"));
    }

    @Test
    void aRowOfAForeignWriterIsHandledByTheNextPoll() throws Exception {
        var queue = here.queue(table, "mail", TimeSource.database());
        opened.add(queue.worker().pollInterval(POLL).events(recorder).consume(payload -> {}));
        recorder.await("claimed");
        insertByPlainSql("written by hand");
        recorder.mark();

        // The claim under way while the row was written may have missed it; the one after it may not.
        assertThat(recorder.claimsFromMarkToDone()).isLessThanOrEqualTo(2);
    }

    @Test
    void aWakeInTheSameProcessDoesNotWaitForThePoll() throws Exception {
        var queue = here.queue(table, "mail", TimeSource.database());
        opened.add(
                queue.worker().pollInterval(Duration.ofDays(1)).events(recorder).consume(payload -> {}));
        recorder.await("claimed");

        queue.enqueue("now");

        recorder.await("done");
    }

    @Test
    void aPayloadThatCannotBeReadGoesToTheDeadLettersAndItsNeighboursAreHandled() throws Exception {
        var numbers = jobs.mapped(form, jobs.body.convert(Integer.class, Integer::valueOf, String::valueOf), dead);
        here.queue(table, "numbers", time).enqueueAll(List.of("1", "two", "3"));
        var seen = new LinkedBlockingQueue<Integer>();
        opened.add(here.queue(numbers, "numbers", time)
                .worker()
                .concurrency(3)
                .events(recorder)
                .consume(seen::add));

        recorder.awaitSettled(3);

        assertThat(seen).containsExactlyInAnyOrder(1, 3);
        assertThat(rows(dead)).singleElement().satisfies(row -> {
            assertThat(row.get(dead.body)).isEqualTo("two");
            assertThat(row.get(dead.lastError)).contains("cannot be read").contains("two");
        });
    }

    @Test
    void anErrorThrownByAConverterIsAFailureOfItsMessageOnly() throws Exception {
        var deep = jobs.mapped(
                form,
                jobs.body.convert(
                        Integer.class,
                        text -> {
                            if (text.equals("two")) {
                                throw new StackOverflowError("too deep");
                            }
                            return Integer.valueOf(text);
                        },
                        String::valueOf),
                dead);
        here.queue(table, "numbers", time).enqueueAll(List.of("1", "two", "3"));
        var seen = new LinkedBlockingQueue<Integer>();
        opened.add(here.queue(deep, "numbers", time)
                .worker()
                .concurrency(3)
                .events(recorder)
                .consume(seen::add));

        recorder.awaitSettled(3);

        assertThat(seen).containsExactlyInAnyOrder(1, 3);
        assertThat(rows(dead))
                .singleElement()
                .satisfies(row -> assertThat(row.get(dead.lastError)).contains("too deep"));
    }

    @Test
    void aRejectedMessageWithNoPlaceToGoStaysAndIsTriedAgainLater() throws Exception {
        var bare = QueueTable.of(jobs, jobs.jobId, jobs.body).queue(jobs.topic).dueAt(jobs.retryAfter);
        var placeless = switch (form) {
            case ROW_LOCK -> bare;
            case LEASE -> bare.leasedUntil(jobs.lockedUntil);
            case ADVISORY -> bare.lockKey(jobs.jobId);
        };
        var queue = here.queue(placeless, "mail", time);
        queue.enqueue("nowhere to go");
        opened.add(queue.worker()
                .retry(RetryPolicy.fixed(Duration.ofMinutes(1)).withoutLimit())
                .events(recorder)
                .handle(delivery -> Outcome.reject("unwanted")));

        recorder.await("retried");

        assertThat(rows(jobs))
                .singleElement()
                .satisfies(row -> assertThat(row.get(jobs.retryAfter))
                        .isEqualTo(micros(clock.instant().plus(Duration.ofMinutes(1)))));
    }

    @Test
    void aMessageWhoseDeliveriesAllEndedWithoutAnOutcomeIsBuriedUnhandled() throws Exception {
        var queue = here.queue(table, "mail", time);
        queue.enqueue("kills its process");
        here.dsl().update(jobs).set(jobs.tries, 3).execute();
        var seen = new LinkedBlockingQueue<String>();
        opened.add(queue.worker()
                .retry(RetryPolicy.fixed(Duration.ZERO).attempts(3))
                .events(recorder)
                .consume(seen::add));

        assertThat(recorder.await("deadLettered").detail()).contains("without an end");

        assertThat(seen).isEmpty();
        assertThat(rows(dead)).hasSize(1);
    }

    @Test
    void anErrorThatItsColumnRefusesIsKeptAsPlainText() throws Exception {
        here.dsl()
                .execute("create table %s (job_id bigint primary key, body varchar(200), last_error varchar(250) %s)"
                        .formatted(jobs.getName() + "_narrow", narrow()));
        var graves = DSL.table(DSL.name(jobs.getName() + "_narrow"));
        var placed = table.deadLetters(QueueTable.of(
                        graves,
                        DSL.field(DSL.name(graves.getName(), "job_id"), Long.class),
                        DSL.field(DSL.name(graves.getName(), "body"), String.class))
                .error(DSL.field(DSL.name(graves.getName(), "last_error"), String.class)));
        var queue = here.queue(placed, "mail", time);
        queue.enqueue("unmailable");
        opened.add(queue.worker()
                .events(recorder)
                .handle(delivery -> Outcome.reject("no \ud83d\udceb " + "x".repeat(1_000))));

        recorder.await("deadLettered");

        assertThat(here.dsl()
                        .fetchSingle("select last_error from " + jobs.getName() + "_narrow")
                        .get(0, String.class))
                .startsWith("no ? x");
        assertThat(rows(jobs)).isEmpty();
    }

    private String narrow() {
        return switch (address.dialect()) {
            case MYSQL, MARIADB -> "character set latin1";
            case SQLITE -> "check (length(last_error) <= 250)";
            default -> "";
        };
    }

    @Test
    void aPayloadThatCannotBeWrittenIsRefusedAndNothingIsEnqueued() {
        var picky = jobs.mapped(
                form,
                jobs.body.convert(Integer.class, Integer::valueOf, number -> {
                    throw new IllegalArgumentException("no number may be " + number);
                }),
                dead);
        var queue = here.queue(picky, "numbers", time);

        assertThatThrownBy(() -> queue.enqueue(13))
                .hasMessageContaining("queue \"numbers\"")
                .hasMessageContaining("no number may be 13");

        assertThat(rows(jobs)).isEmpty();
    }

    @Test
    void anErrorThrownByAHandlerIsAFailureOfItsMessageOnly() throws Exception {
        var queue = here.queue(table, "mail", time);
        queue.enqueueAll(List.of("overflow", "fine"));
        opened.add(queue.worker().pollInterval(POLL).events(recorder).consume(payload -> {
            if (payload.equals("overflow")) {
                throw new StackOverflowError("too deep");
            }
        }));

        recorder.await("retried");
        recorder.await("done");
    }

    @Test
    void closingWaitsForTheHandlersAtWork() throws Exception {
        var queue = here.queue(table, "mail", time);
        var started = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        queue.enqueueAll(numbered(2));
        var worker = queue.worker().events(recorder).consume(payload -> {
            started.countDown();
            mayEnd.await();
        });
        started.await();
        var closing = new Thread(worker::close);
        closing.start();
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        mayEnd.countDown();
        closing.join();

        assertThat(recorder.done()).hasSize(1);
        assertThat(rows(jobs)).singleElement().satisfies(row -> {
            assertThat(row.get(jobs.lockedUntil)).isNull();
            assertThat(row.get(jobs.tries)).isZero();
        });
    }

    @Test
    void finishedRowsAreKeptWhereAColumnKeepsThem() throws Exception {
        var keeping = table.finishedAt(jobs.endedAt);
        var queue = here.queue(keeping, "mail", time);
        queue.enqueue("remember me");
        opened.add(queue.worker().pollInterval(POLL).events(recorder).consume(payload -> {}));

        recorder.await("done");
        recorder.await("claimed");
        recorder.await("claimed");

        assertThat(recorder.done()).hasSize(1);
        assertThat(rows(jobs))
                .singleElement()
                .satisfies(row -> assertThat(row.get(jobs.endedAt)).isEqualTo(micros(clock.instant())));
    }

    @Test
    void aColumnThatTheTableDoesNotHaveIsRefusedAtStart() {
        var other = new JobTable("no_such_table");
        var missingTable = here.queue(other.mapped(form, dead), "mail", time);
        here.dsl().alterTable(jobs).renameColumn(jobs.retryAfter).to("later").execute();
        var missingColumn = here.queue(table, "mail", time);

        assertThatThrownBy(() -> missingTable.worker().consume(payload -> {}))
                .hasMessageContaining("queue \"mail\"")
                .hasMessageContaining("no_such_table")
                .hasMessageContaining("does it exist");
        assertThatThrownBy(() -> missingColumn.worker().consume(payload -> {}))
                .hasMessageContaining("queue \"mail\"")
                .hasMessageContaining(jobs.getName())
                .hasMessageContaining("dueAt -> \"retry_after\"");
    }

    /** C17: the whole life of messages on connections with auto-commit off, which go back as they came. */
    @Test
    void c17ConnectionsWithAutoCommitOffServeAsWell() throws Exception {
        var settings = address.settings(4);
        settings.setAutoCommit(false);
        var pool = new HikariDataSource(settings);
        opened.add(pool);
        var dsl = DSL.using(pool, address.dialect());
        var queue = new Instance(pool, dsl).queue(table, "mail", time);
        queue.enqueue("one");
        queue.enqueueAll(numbered(3));
        dsl.transaction(tx -> queue.enqueue(tx, "hopeless"));
        var worker = queue.worker().concurrency(2).events(recorder).handle(delivery -> switch (delivery.payload()) {
            case "2" -> Outcome.retry("once more");
            case "hopeless" -> Outcome.reject("never");
            default -> Outcome.done();
        });
        opened.add(worker);

        recorder.awaitSettled(5);
        worker.close();

        assertThat(rows(jobs))
                .singleElement()
                .satisfies(row -> assertThat(row.get(jobs.lastError)).isEqualTo("once more"));
        assertThat(rows(dead))
                .singleElement()
                .satisfies(row -> assertThat(row.get(dead.lastError)).isEqualTo("never"));
        for (int each = 0; each < 4; each++) {
            try (var connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    Instance instance() {
        return instance(6);
    }

    Instance instance(int connections) {
        var instance = Instance.at(address, connections);
        opened.add(instance);
        return instance;
    }

    private Worker worker(Queue<String> queue, int concurrency) {
        return queue.worker()
                .concurrency(concurrency)
                .pollInterval(POLL)
                .events(recorder)
                .consume(payload -> {});
    }

    List<Record> rows(JobTable of) {
        return List.copyOf(here.dsl().selectFrom(of).fetch());
    }

    void awaitRows(JobTable of, Function<List<Record>, Boolean> state) {
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> state.apply(rows(of)));
    }

    private void insertByPlainSql(String text) {
        here.dsl()
                .execute(
                        "insert into %s (body, topic, urgency, retry_after, tries) values (?, 'mail', 5, 0, 0)"
                                .formatted(jobs.getName()),
                        text);
    }

    static List<String> numbered(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(Integer::toString).toList();
    }

    private static long micros(Instant instant) {
        return Micros.of(instant);
    }

    static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        var next = queue.poll(Recorder.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).as("something within %s", Recorder.PATIENCE).isNotNull();
        return next;
    }
}
