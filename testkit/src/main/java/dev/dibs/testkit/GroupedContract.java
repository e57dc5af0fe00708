package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Message;
import dev.dibs.Queue;
import dev.dibs.Receipt;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a grouped enqueue promises, on every database: each caller is answered as if it had been alone.
 *
 * <p>Groups are made by holding the first caller up while it binds its payload.
 */
public abstract class GroupedContract extends TableContract {

    private static final String HELD = "held";
    private static final int THREADS = 32;
    private static final int MESSAGES = 200;

    private final CountDownLatch isHeld = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);

    /** The contract on a database, in a form. */
    protected GroupedContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @Test
    void messagesOfManyThreadsAreEachThereOnceAndEachReceiptIsThatOfItsOwn() throws Exception {
        var table = made();
        var grouped = mail(table.mapped(form)).grouped();
        Map<Object, String> sent = new ConcurrentHashMap<>();
        var senders = IntStream.range(0, THREADS)
                .<Callable<Boolean>>mapToObj(thread -> () -> {
                    for (int n = 0; n < MESSAGES; n++) {
                        var body = "%d of %d".formatted(n, thread);
                        sent.put(grouped.enqueue(body).id(), body);
                    }
                    return true;
                })
                .toList();
        var threads = Executors.newFixedThreadPool(THREADS);
        opened.add(threads::shutdownNow);

        for (var sender : threads.invokeAll(senders, 120, TimeUnit.SECONDS)) {
            assertThat(sender.get()).isTrue();
        }

        assertThat(sent).hasSize(THREADS * MESSAGES);
        assertThat(bodies(table)).isEqualTo(sent);
    }

    @Test
    void whatComesWhileOneIsWrittenIsWrittenInOneTransaction() throws Exception {
        var table = made();
        var source = new WatchedDataSource(here.pool());
        var queue = held(table, source);
        var calls = calls(
                queue, messages(IntStream.range(0, 12).mapToObj(n -> "n" + n).toList()));

        goesOn.countDown();

        assertThat(receipts(calls)).hasSize(13).allMatch(Receipt::isNew);
        assertThat(source.connections()).isEqualTo(2);
        assertThat(bodies(table)).hasSize(13);
    }

    @Test
    void theMessagesOfAGroupKeepWhatTheySayOfThemselves() throws Exception {
        var table = made();
        var queue = held(table, new WatchedDataSource(here.pool()));
        var messages = List.of(
                Message.of("plain"),
                Message.of("urgent").priority(1),
                Message.of("late").delayed(Duration.ofHours(1)),
                Message.of("told").header("name", "v\u00e4l\"ue"),
                Message.of("at").dueAt(clock.instant().plusSeconds(5)));
        var calls = calls(queue, messages);

        goesOn.countDown();

        var ids = receipts(calls).stream().map(Receipt::id).toList();
        var now = clock.instant().getEpochSecond() * 1_000_000;
        assertThat(row(table, ids.get(1))).contains("plain", 5, now);
        assertThat(row(table, ids.get(2))).contains("urgent", 1, now);
        assertThat(row(table, ids.get(3))).contains("late", 5, now + 3_600_000_000L);
        assertThat(row(table, ids.get(4))).contains("told", 5, now, "{\"name\":\"v\u00e4l\\\"ue\"}");
        assertThat(row(table, ids.get(5))).contains("at", 5, now + 5_000_000);
    }

    @Test
    void aMessageThatTheDatabaseRefusesFailsAlone() throws Exception {
        var table = made();
        here.dsl()
                .createUniqueIndex(DSL.name(table.getName() + "_urgency"))
                .on(table, table.urgency)
                .execute();
        var queue = held(table, new WatchedDataSource(here.pool()));
        var calls = calls(
                queue,
                List.of(
                        Message.of("one").priority(1),
                        Message.of("guilty").priority(5),
                        Message.of("two").priority(2)));

        goesOn.countDown();

        assertThat(calls.get(1).get().isNew()).isTrue();
        assertThat(calls.get(3).get().isNew()).isTrue();
        assertThatThrownBy(() -> calls.get(2).get())
                .cause()
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", "a message was refused", "has 6 characters");
        assertThat(bodies(table).values()).containsExactlyInAnyOrder(HELD, "one", "two");
    }

    @Test
    void aMessageThatItsConverterRefusesFailsAlone() throws Exception {
        var table = made();
        var queue = held(table, new WatchedDataSource(here.pool()));
        var calls = calls(queue, messages(List.of("one", "unspeakable", "two")));

        goesOn.countDown();

        assertThat(calls.get(1).get().isNew()).isTrue();
        assertThat(calls.get(3).get().isNew()).isTrue();
        assertThatThrownBy(() -> calls.get(2).get()).hasMessageContainingAll("queue \"mail\"", "cannot be said");
        assertThat(bodies(table).values()).containsExactlyInAnyOrder(HELD, "one", "two");
    }

    @Test
    void aMessageThatNoColumnCanHoldIsRefusedBeforeItJoinsAGroup() {
        var table = made();
        var grouped = mail(QueueTable.of(table, table.id, table.body)).grouped();

        assertThatThrownBy(() -> grouped.enqueue(Message.of("x").header("a", "b")))
                .hasMessageContainingAll("queue \"mail\"", "headers");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whenTheConnectionIsCutAtTheCommitNobodyIsToldThatTheyAreEnqueued(boolean committed) throws Exception {
        var table = made();
        var source = new WatchedDataSource(here.pool());
        var queue = held(table, source);
        var calls = calls(queue, messages(List.of("one", "two", "three")));
        source.cutAtCommit(2, committed);

        goesOn.countDown();

        for (var call : calls.subList(1, 4)) {
            assertThatThrownBy(call::get)
                    .cause()
                    .isInstanceOf(QueueException.class)
                    .hasMessageContainingAll("queue \"mail\"", "nothing is known to be enqueued");
        }
        assertThat(bodies(table)).hasSize(committed ? 4 : 1);
        assertThat(queue.grouped().enqueue("afterwards").isNew()).isTrue();
    }

    @Test
    void aCallerThatIsInterruptedWaitsOnAndIsInterruptedAfterwards() throws Exception {
        var table = made();
        var queue = held(table, new WatchedDataSource(here.pool()));
        var calls = calls(queue, List.of());
        var interrupted = new CompletableFuture<Boolean>();
        var task = new FutureTask<>(() -> {
            var receipt = queue.grouped().enqueue("patient");
            interrupted.complete(Thread.currentThread().isInterrupted());
            return receipt;
        });
        var thread = new Thread(task, "interrupted caller");
        thread.start();
        awaitWaiting(thread);

        thread.interrupt();
        goesOn.countDown();

        assertThat(task.get(30, TimeUnit.SECONDS).isNew()).isTrue();
        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(receipts(calls)).hasSize(1);
        assertThat(bodies(table).values()).containsExactlyInAnyOrder(HELD, "patient");
    }

    @Test
    void aMessageWithADedupKeyIsThereOnce() {
        var grouped = mail(made().mapped(form)).grouped();

        var first = grouped.enqueue(Message.of("keyed").dedupKey("k"));
        var second = grouped.enqueue(Message.of("again").dedupKey("k"));

        assertThat(first.isNew()).isTrue();
        assertThat(second).returns(first.id(), Receipt::id).returns(false, Receipt::isNew);
    }

    /** For databases with more than one writer: it may have to wait for its key, and nobody is to wait with it. */
    protected void aMessageWithADedupKeyGoesOutByItself() throws Exception {
        var table = made();
        var queue = held(table, new WatchedDataSource(here.pool()));
        var calls = calls(queue, List.of());

        assertThat(queue.grouped().enqueue(Message.of("keyed").dedupKey("k")).isNew())
                .isTrue();

        goesOn.countDown();
        assertThat(receipts(calls)).hasSize(1);
    }

    @Test
    void idsThatTheApplicationGivesAreThoseOfTheReceipts() throws Exception {
        var table = unmade().ids(SQLDataType.UUID).create(here.dsl());
        var queue = held(
                table.mapped(form, speakable(table.body)).ids(UUID::randomUUID), new WatchedDataSource(here.pool()));
        var calls = calls(queue, messages(List.of("one", "two", "three")));

        goesOn.countDown();

        var given = receipts(calls);
        var bodies = bodies(table);
        assertThat(given.stream().map(receipt -> bodies.get(receipt.id())).toList())
                .containsExactly(HELD, "one", "two", "three");
    }

    @Test
    void recordsAreGroupedToo() throws Exception {
        var table = made();
        var grouped = mail(table.rows(form)).grouped();
        var threads = Executors.newFixedThreadPool(8);
        opened.add(threads::shutdownNow);
        var tasks = IntStream.range(0, 200)
                .<Callable<Receipt>>mapToObj(n -> () -> {
                    var row = here.dsl().newRecord(table);
                    row.set(table.body, "body " + n);
                    row.set(table.remark, n % 3 == 0 ? null : "remark " + n);
                    return grouped.enqueue(row);
                })
                .toList();

        var calls = threads.invokeAll(tasks, 60, TimeUnit.SECONDS);

        for (int n = 0; n < calls.size(); n++) {
            assertThat(row(table, calls.get(n).get().id())).contains("body " + n);
        }
        assertThat(rows(table)).hasSize(200);
    }

    @Test
    void aGroupWakesTheWorkersOnce() throws Exception {
        var table = made();
        var queue = held(table, new WatchedDataSource(here.pool()));
        opened.add(queue.worker()
                .pollInterval(Duration.ofHours(1))
                .events(recorder)
                .consume(payload -> {}));
        recorder.await("claimed");
        var calls = calls(queue, messages(List.of("one", "two", "three")));

        goesOn.countDown();

        recorder.await("done", 4);
        assertThat(receipts(calls)).hasSize(4);
    }

    private Queue<String> held(WideTable table, WatchedDataSource source) {
        return held(table.mapped(form, speakable(table.body)), source);
    }

    private Queue<String> held(QueueTable<String> table, WatchedDataSource source) {
        return Queue.builder(DSL.using(source.watched(), dialect()), table, "mail")
                .time(time)
                .build();
    }

    private Field<String> speakable(Field<String> body) {
        return body.convert(String.class, text -> text, text -> {
            if (text.equals(HELD)) {
                hold();
            }
            if (text.equals("unspeakable")) {
                throw new IllegalStateException("this cannot be said");
            }
            return text;
        });
    }

    private void hold() {
        isHeld.countDown();
        try {
            goesOn.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** The held call, and after it those that wait for it; each on a thread of its own. */
    private List<Future<Receipt>> calls(Queue<String> queue, List<Message<String>> messages)
            throws InterruptedException {
        var calls = new ArrayList<Future<Receipt>>();
        calls.add(call(queue, Message.of(HELD)));
        isHeld.await();
        for (var message : messages) {
            calls.add(call(queue, message));
        }
        return calls;
    }

    private static Future<Receipt> call(Queue<String> queue, Message<String> message) {
        var task = new FutureTask<>(() -> queue.grouped().enqueue(message));
        var thread = new Thread(task, "caller of " + message.payload());
        thread.start();
        awaitWaiting(thread);
        return task;
    }

    private static void awaitWaiting(Thread thread) {
        Awaitility.await().atMost(Recorder.PATIENCE).until(() -> thread.getState() == Thread.State.WAITING);
    }

    private static List<Receipt> receipts(List<Future<Receipt>> calls) throws ExecutionException, InterruptedException {
        var receipts = new ArrayList<Receipt>();
        for (var call : calls) {
            receipts.add(call.get());
        }
        return receipts;
    }

    private static List<Message<String>> messages(List<String> texts) {
        return texts.stream().map(Message::of).toList();
    }

    private Map<Object, String> bodies(WideTable table) {
        var bodies = new HashMap<Object, String>();
        here.dsl().select(table.id, table.body).from(table).forEach(row -> bodies.put(row.value1(), row.value2()));
        return bodies;
    }

    private List<Object> row(WideTable table, Object id) {
        return rows(table).stream()
                .filter(row -> id.equals(row.get(table.id)))
                .map(Record::intoList)
                .findFirst()
                .orElseThrow();
    }
}
