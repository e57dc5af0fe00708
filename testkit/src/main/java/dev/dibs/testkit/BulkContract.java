package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Message;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a bulk promises, on every database and for every way in which many rows are written: few, many, and very many.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
public abstract class BulkContract extends TableContract {

    private static final int FEW = 7;
    private static final int MANY = 1_100;
    private static final int VERY_MANY = 5_100;

    private static final List<String> TEXTS = List.of(
            "",
            "\\",
            "\\.",
            "\\N",
            "\\n",
            "\\\\t",
            "a\tb\nc\r\nd\u000b\f\b",
            "\n",
            "\ud83d\udceb \ud83d\udc69\u200d\ud83d\ude80",
            "\u00e9\u0301\ufeff",
            "NULL",
            "null",
            "{a,\"b\\\"\",NULL}",
            "'quoted', \"twice\" ``",
            " spaces ",
            "?{0}:x$1$$",
            "{\"key\": \"line\\nline\"}");

    /** The contract on a database, in a form. */
    protected BulkContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY, VERY_MANY})
    void everyTextIsThereAsItWasGivenAndInItsTurn(int size) {
        var table = made();
        var texts = texts(size);

        mail(table.mapped(form)).enqueueAll(texts);

        assertThat(bodies(table)).isEqualTo(texts);
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY, VERY_MANY})
    void aBulkInTheCallersTransactionIsGoneWithIt(int size) {
        var table = made();
        var queue = mail(table.mapped(form));

        assertThatThrownBy(() -> here.dsl().transaction(tx -> {
                    queue.enqueue(tx, "before");
                    queue.enqueueAll(tx, texts(size));
                    assertThat(tx.dsl().fetchCount(table)).isEqualTo(size + 1);
                    throw new IllegalStateException("changed my mind");
                }))
                .hasMessageContaining("changed my mind");
        assertThat(rows(table)).isEmpty();

        here.dsl().transaction(tx -> {
            queue.enqueueAll(tx, texts(size));
            queue.enqueue(tx, "after");
        });
        assertThat(bodies(table)).hasSize(size + 1).endsWith("after");
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY, VERY_MANY})
    void ifTheLastRowIsRefusedNoneIsThereAndTheMessageNamesTheQueue(int size) {
        var jobs = new JobTable("jobs").create(here.dsl());
        var dead = new JobTable("dead_jobs").create(here.dsl());
        var queue = mail(jobs.mapped(form, dead));
        var messages = new ArrayList<Message<String>>();
        texts(size - 1).forEach(text -> messages.add(Message.of(text).priority(7)));
        messages.add(Message.of("the last").priority(JobTable.MOST_PATIENT + 1));

        assertThatThrownBy(() -> queue.enqueueMessages(messages))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", "jobs", "a message was refused", "characters)");

        assertThat(here.dsl().fetchCount(jobs)).isZero();
        queue.enqueueMessages(messages.subList(0, size - 1));
        assertThat(here.dsl().fetchCount(jobs)).isEqualTo(size - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {MANY, VERY_MANY})
    void aTextThatTheDatabaseRefusesAloneIsRefusedAmongMany(int size) {
        var table = made();
        var queue = mail(table.mapped(form));
        var texts = new ArrayList<>(texts(size));
        texts.set(size / 2, "nothing\u0000 more");

        var alone = isRefused(() -> queue.enqueueAll(List.of(texts.get(size / 2))));
        var among = isRefused(() -> queue.enqueueAll(texts));

        assertThat(among).isEqualTo(alone);
        assertThat(rows(table)).hasSize(alone ? 0 : size + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY, VERY_MANY})
    void messagesKeepWhatTheySayOfThemselves(int size) {
        var table = made();
        var headers = Map.of("na\"me", "v\u00e4l\\ue\n");
        var later = clock.instant().plusSeconds(60);

        mail(table.mapped(form))
                .enqueueMessages(IntStream.range(0, size)
                        .mapToObj(n -> Message.of("n" + n)
                                .priority(n % 3)
                                .headers(headers)
                                .delayed(Duration.ofSeconds(n % 5)))
                        .toList());
        here.queue(table.mapped(form), "other", time)
                .enqueueMessages(IntStream.range(0, size)
                        .mapToObj(n -> Message.of("n" + n).dueAt(later.plusMillis(n)))
                        .toList());

        var now = clock.instant().getEpochSecond() * 1_000_000;
        var rows = inOrder(table);
        for (int n = 0; n < size; n++) {
            var row = rows.get(n);
            assertThat(row.get(table.topic)).isEqualTo("mail");
            assertThat(row.get(table.body)).isEqualTo("n" + n);
            assertThat(row.get(table.urgency)).isEqualTo(n % 3);
            assertThat(row.get(table.retryAfter)).isEqualTo(now + n % 5 * 1_000_000L);
            assertThat(row.get(table.headers)).asString().contains("v\u00e4l\\\\ue\\u000a");
            assertThat(row.get(table.bornAt)).isEqualTo(7L);
            var other = rows.get(size + n);
            assertThat(other.get(table.topic)).isEqualTo("other");
            assertThat(other.get(table.urgency)).isEqualTo(5);
            assertThat(other.get(table.retryAfter)).isEqualTo(now + 60_000_000L + n * 1_000L);
            assertThat(other.get(table.headers)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY, VERY_MANY})
    void messagesOfDifferentColumnsGoTogether(int size) {
        var table = made();

        mail(table.mapped(form))
                .enqueueMessages(IntStream.range(0, size)
                        .mapToObj(n -> n % 2 == 0
                                ? Message.of("n" + n)
                                : Message.of("n" + n).priority(1))
                        .toList());

        assertThat(inOrder(table))
                .hasSize(size)
                .allSatisfy(row -> assertThat(row.get(table.urgency))
                        .isEqualTo(Integer.parseInt(row.get(table.body).substring(1)) % 2 == 0 ? 5 : 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY, VERY_MANY})
    void recordsKeepTheirOwnColumns(int size) {
        var table = made();
        var records = IntStream.range(0, size)
                .mapToObj(n -> {
                    var row = here.dsl().newRecord(table);
                    row.set(table.body, TEXTS.get(n % TEXTS.size()));
                    row.set(table.remark, n % 3 == 0 ? null : "remark " + n);
                    row.set(table.tries, 9); // what belongs to claims is not taken over
                    return row;
                })
                .toList();

        mail(table.rows(form)).enqueueAll(records);

        var rows = inOrder(table);
        for (int n = 0; n < size; n++) {
            assertThat(rows.get(n).get(table.body)).isEqualTo(TEXTS.get(n % TEXTS.size()));
            assertThat(rows.get(n).get(table.remark)).isEqualTo(n % 3 == 0 ? null : "remark " + n);
            assertThat(rows.get(n).get(table.tries)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY, VERY_MANY})
    void payloadsAreConvertedAndIdsGiven(int size) {
        var table = unmade().ids(SQLDataType.UUID).create(here.dsl());
        var given = new ArrayList<UUID>();
        var numbers = table.body.convert(Integer.class, Integer::valueOf, number -> "number " + number);
        var queue = mail(table.mapped(form, numbers).ids(() -> {
            given.add(UUID.randomUUID());
            return given.get(given.size() - 1);
        }));

        queue.enqueueAll(IntStream.range(0, size).boxed().toList());

        assertThat(given).hasSize(size);
        assertThat(rows(table))
                .hasSize(size)
                .allSatisfy(
                        row -> assertThat(row.get(table.body)).isEqualTo("number " + given.indexOf(row.get(table.id))));
    }

    /** Claims may rest on it: a due time by the clock is not older than the insert. */
    @ParameterizedTest
    @ValueSource(ints = {FEW, MANY, VERY_MANY})
    void whatIsDueAtOnceIsDueFromTheInsertOnByTheDatabasesClock(int size) {
        var table = made();
        var queue = here.queue(table.mapped(form), "mail", TimeSource.database());

        here.dsl().transaction(tx -> {
            queue.enqueue(tx, "first");
            queue.enqueueAll(tx, texts(size));
            queue.enqueue(tx, "last");
        });

        var due = inOrder(table).stream().map(row -> row.get(table.retryAfter)).toList();
        assertThat(due).hasSize(size + 2).doesNotContainNull().isSorted();
    }

    @Test
    void theRowsOfAVeryLargeBulkAreHandledOnceEach() {
        var table = made();
        var queue = mail(table.mapped(form));
        var seen = new ConcurrentHashMap<String, Integer>();
        queue.enqueueAll(IntStream.range(0, VERY_MANY).mapToObj(n -> "n" + n).toList());

        opened.add(queue.worker()
                .concurrency(2)
                .events(recorder)
                .consumeAll(100, payloads -> payloads.forEach(payload -> seen.merge(payload, 1, Integer::sum))));
        recorder.awaitSettled(VERY_MANY);

        assertThat(seen).hasSize(VERY_MANY);
        assertThat(Set.copyOf(seen.values())).containsExactly(1);
        assertThat(rows(table)).isEmpty();
    }

    private static boolean isRefused(Runnable enqueue) {
        try {
            enqueue.run();
            return false;
        } catch (QueueException refused) {
            assertThat(refused).hasMessageContainingAll("queue \"mail\"", "a message was refused");
            return true;
        }
    }

    private static List<String> texts(int size) {
        return Stream.generate(() -> TEXTS).flatMap(List::stream).limit(size).toList();
    }

    private List<String> bodies(WideTable table) {
        return inOrder(table).stream().map(row -> row.get(table.body)).toList();
    }

    private List<Record> inOrder(WideTable table) {
        return List.copyOf(here.dsl().selectFrom(table).orderBy(table.id).fetch());
    }
}
