package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.DeadLetter;
import dev.dibs.Delivery;
import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.Replayed;
import dev.dibs.RetryPolicy;
import dev.dibs.WorkerBuilder;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a queue's dead letters promise, on every database and wherever they lie: they can be read, made messages again
 * exactly once, and deleted.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
public abstract class DeadLetterContract extends TableContract {

    private static final int MANY = 200;

    private final BlockingQueue<Delivery<String>> deliveries = new LinkedBlockingQueue<>();
    private WideTable table;
    private WideTable graves;

    /** The contract on a database, in a form. */
    protected DeadLetterContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @BeforeEach
    void createTables() {
        table = made();
        graves = unmade().createBare(here.dsl());
    }

    /** Where dead messages go. */
    enum Place {
        APART,
        OTHER_QUEUE,
        IN_PLACE
    }

    @ParameterizedTest
    @EnumSource
    void aDeadLetterSaysWhatItWasAndHowItEnded(Place place) throws Exception {
        var queue = mail(mapped(place));
        var id = queue.enqueue("hopeless").id();
        bury(queue, 1);

        assertThat(queue.deadLetters().count()).isOne();
        assertThat(queue.deadLetters().find(id)).hasValueSatisfying(letter -> {
            assertThat(letter.id()).isEqualTo(id);
            assertThat(letter.payload()).isEqualTo("hopeless");
            assertThat(letter.whyUnreadable()).isEmpty();
            assertThat(letter.error()).hasValue("no such mailbox");
            assertThat(letter.attempt()).isOne();
            assertThat(letter.diedAt().isPresent()).isEqualTo(place != Place.OTHER_QUEUE);
            letter.diedAt().ifPresent(at -> assertThat(at).isEqualTo(clock.instant()));
        });
        assertThat(queue.deadLetters().find(-1)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void pagesFollowEachOtherInTheOrderOfTheIds(Place place) throws Exception {
        var queue = mail(mapped(place));
        var ids = List.of(
                queue.enqueue("a").id(),
                queue.enqueue("b").id(),
                queue.enqueue("c").id());
        bury(queue, 3);
        queue.enqueue("alive");

        var first = queue.deadLetters().list(2);
        var second = queue.deadLetters().list(2, first.get(1).id());

        assertThat(first).extracting(DeadLetter::id).isEqualTo(ids.subList(0, 2));
        assertThat(second).extracting(DeadLetter::id).isEqualTo(ids.subList(2, 3));
        assertThat(queue.deadLetters().list(2, second.get(0).id())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPayloadThatCannotBeReadSaysWhyAndHidesNoOther(Place place) throws Exception {
        var writing = mail(mapped(place));
        writing.enqueueAll(List.of("1", "two", "3"));
        bury(writing, 3);
        var numbers = table.body.convert(Integer.class, Integer::valueOf, String::valueOf);

        var letters = mail(to(place, table.mapped(form, numbers))).deadLetters().list(3);

        assertThat(letters.get(0).payload()).isOne();
        assertThat(letters.get(2).payload()).isEqualTo(3);
        assertThat(letters.get(1).whyUnreadable())
                .hasValueSatisfying(why -> assertThat(why).hasStackTraceContaining("NumberFormatException"));
        assertThatThrownBy(letters.get(1)::payload).isInstanceOf(QueueException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aReplayedMessageIsLikeOneThatIsEnqueuedNow(Place place) throws Exception {
        var queue = mail(mapped(place));
        var id = queue.enqueue(Message.of("again").priority(3).header("a", "b").dueAt(clock.instant()))
                .id();
        bury(queue, 1);
        clock.advance(Duration.ofHours(1));

        assertThat(queue.deadLetters().replay(id)).isTrue();

        assertThat(queue.deadLetters().count()).isZero();
        assertThat(rows(graves)).isEmpty();
        assertThat(rows(table)).singleElement().satisfies(row -> {
            assertThat(row.get(table.body)).isEqualTo("again");
            assertThat(row.get(table.topic)).isEqualTo("mail");
            assertThat(row.get(table.tries)).isZero();
            assertThat(row.get(table.retryAfter)).isEqualTo(Micros.of(clock.instant()));
            assertThat(row.get(table.lockedUntil)).isNull();
            assertThat(row.get(table.claimToken)).isNull();
            assertThat(row.get(table.endedAt)).isNull();
            assertThat(row.get(table.lastError)).isNull();
            assertThat(row.get(table.bornAt)).isEqualTo(7L);
            assertThat(row.get(table.headers)).hasToString("{\"a\":\"b\"}");
            assertThat(row.get(table.id).equals(id)).isEqualTo(place != Place.APART);
        });
        opened.add(queue.worker().handle(this::keep));
        assertThat(take(deliveries).attempt()).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void aReplayWakesTheWorkersOfItsProcess(Place place) throws Exception {
        var queue = mail(mapped(place));
        var id = queue.enqueue("again").id();
        bury(queue, 1);
        opened.add(queue.worker()
                .pollInterval(Duration.ofHours(1))
                .events(recorder)
                .handle(this::keep));
        recorder.await("claimed");

        assertThat(queue.deadLetters().replay(id)).isTrue();

        assertThat(take(deliveries).payload()).isEqualTo("again");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNoDeadLetterIsNotReplayed(Place place) throws Exception {
        var queue = mail(mapped(place));
        var id = queue.enqueue("dead").id();
        bury(queue, 1);
        var alive = queue.enqueue("alive").id();

        assertThat(queue.deadLetters().replay(alive)).isFalse();
        assertThat(queue.deadLetters().replay(-1)).isFalse();
        assertThat(queue.deadLetters().replay(id)).isTrue();
        assertThat(queue.deadLetters().replay(id)).isFalse();
        assertThat(rows(table)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void aFilterChoosesWhatIsReplayedAndWhatIsDeleted(Place place) throws Exception {
        var queue = mail(mapped(place));
        queue.enqueueAll(List.of("keep 1", "again 1", "away 1", "again 2", "away 2"));
        bury(queue, 5);
        var body = place == Place.APART ? graves.body : table.body;

        assertThat(queue.deadLetters().count(body.like("again%"))).isEqualTo(2);
        assertThat(queue.deadLetters().replayAll(body.like("again%"))).isEqualTo(new Replayed(2, 0));
        assertThat(queue.deadLetters().deleteAll(body.like("away%"))).isEqualTo(2);

        assertThat(queue.deadLetters().list(9)).extracting(DeadLetter::payload).containsExactly("keep 1");
        assertThat(queue.deadLetters().delete(queue.deadLetters().list(1).get(0).id()))
                .isTrue();
        assertThat(queue.deadLetters().count()).isZero();
        opened.add(queue.worker().handle(this::keep));
        assertThat(List.of(take(deliveries), take(deliveries)))
                .extracting(Delivery::payload)
                .containsExactlyInAnyOrder("again 1", "again 2");
    }

    @ParameterizedTest
    @EnumSource
    void deadLettersOfAnotherQueueAreLeftAlone(Place place) throws Exception {
        if (place == Place.OTHER_QUEUE) {
            return; // one dead queue does not tell whose they were
        }
        var queue = mail(mapped(place));
        var parcels = here.queue(mapped(place), "parcels", time);
        queue.enqueue("letter");
        parcels.enqueue("box");
        bury(queue, 1);
        bury(parcels, 1);

        assertThat(queue.deadLetters().replayAll().messages()).isOne();

        assertThat(parcels.deadLetters().list(2))
                .extracting(DeadLetter::payload)
                .containsExactly("box");
    }

    @ParameterizedTest
    @EnumSource
    void twoReplayersAtOnceMakeEachDeadLetterOneMessage(Place place) throws Exception {
        var queue = mail(mapped(place));
        layDown(place, MANY);
        var elsewhere = instance().queue(mapped(place), "mail", time);

        var results = atOnce(List.<Callable<Replayed>>of(
                () -> queue.deadLetters().replayAll(),
                () -> elsewhere.deadLetters().replayAll(),
                () -> oneByOne(queue),
                () -> oneByOne(elsewhere)));

        var passedOver = queue.deadLetters().replayAll().messages(); // what each of them found locked by another
        assertThat(results.stream().mapToInt(Replayed::messages).sum() + passedOver)
                .isEqualTo(MANY);
        assertThat(queue.deadLetters().count()).isZero();
        assertThat(rows(table))
                .hasSize(MANY)
                .extracting(row -> row.get(table.body))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void replayersBesideWorkersThatBuryLoseNothingAndDoubleNothing(Place place) throws Exception {
        var queue = mail(mapped(place));
        queue.enqueueAll(IntStream.range(0, 60).mapToObj(n -> "m" + n).toList());
        var worker = burying(queue).concurrency(4).handle(delivery -> Outcome.reject("no such mailbox"));
        var elsewhere = instance().queue(mapped(place), "mail", time);

        var results = atOnce(List.<Callable<Integer>>of(() -> replayed(queue, 20), () -> replayed(elsewhere, 20)));
        worker.close();

        assertThat(results).allSatisfy(times -> assertThat(times).isNotNegative());
        assertThat(Stream.concat(rows(table).stream(), rows(graves).stream()))
                .hasSize(60)
                .extracting(row -> row.get(table.body.getUnqualifiedName()))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void whatDiesAgainMeanwhileIsNotReplayedOnceMore(Place place) throws Exception {
        var queue = mail(mapped(place));
        layDown(place, 600);
        here.dsl() // or a claim sorts on MySQL and MariaDB, and locks what a replay is after
                .createIndex("claims")
                .on(table, table.topic, table.endedAt, table.urgency, table.retryAfter, table.id)
                .execute();
        opened.add(burying(queue).concurrency(4).handle(delivery -> Outcome.reject("no such mailbox")));

        assertThat(queue.deadLetters().replayAll()).isEqualTo(new Replayed(600, 0));
    }

    @ParameterizedTest
    @EnumSource
    void aDeadLetterThatAWorkerOfTheDeadHoldsIsPassedOver(Place place) throws Exception {
        if (place != Place.OTHER_QUEUE) {
            return; // nobody else works there
        }
        var queue = mail(mapped(place));
        queue.enqueue("looked at");
        bury(queue, 1);
        var looked = new CountDownLatch(1);
        opened.add(here.queue(table.mapped(form), "dead", time)
                .worker()
                .events(recorder)
                .consume(payload -> {
                    recorder.mark();
                    looked.await();
                }));
        recorder.await("mark");

        assertThat(queue.deadLetters().replayAll()).isEqualTo(new Replayed(0, 0));
        assertThat(queue.deadLetters().deleteAll(DSL.noCondition())).isZero();
        looked.countDown();

        recorder.await("done");
        assertThat(rows(table)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aMessageThatIsDoneAfterAFailureIsNoDeadLetter(Place place) throws Exception {
        var queue = mail(mapped(place));
        queue.enqueue("second time lucky");
        opened.add(
                burying(queue).handle(delivery -> delivery.attempt() == 1 ? Outcome.retry("not yet") : Outcome.done()));
        recorder.await("done");

        assertThat(queue.deadLetters().count()).isZero();
        assertThat(queue.deadLetters().replayAll()).isEqualTo(new Replayed(0, 0));
    }

    @Test
    void aDedupKeyComesBackWithItsMessage() throws Exception {
        var queue = mail(mapped(Place.APART));
        var id = queue.enqueue(Message.of("first").dedupKey("k")).id();
        bury(queue, 1);

        queue.deadLetters().replay(id);

        assertThat(queue.enqueue(Message.of("second").dedupKey("k")).isNew()).isFalse();
    }

    @Test
    void aDeadLetterWhoseDedupKeyIsInUseStaysAndSaysSo() throws Exception {
        var queue = mail(mapped(Place.APART));
        var id = queue.enqueue(Message.of("first").dedupKey("k")).id();
        queue.enqueueAll(List.of("other", "third"));
        bury(queue, 3);
        queue.enqueue(Message.of("second").dedupKey("k"));

        assertThatThrownBy(() -> queue.deadLetters().replay(id))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", table.getName(), id.toString(), "dedup key");
        assertThat(queue.deadLetters().replayAll()).isEqualTo(new Replayed(2, 1));

        assertThat(queue.deadLetters().list(9)).extracting(DeadLetter::id).containsExactly(id);
        assertThat(rows(table))
                .extracting(row -> row.get(table.body))
                .containsExactlyInAnyOrder("second", "other", "third");
    }

    @Test
    void twoDeadLettersOfOneDedupKeyAreReplayedOneAfterTheOther() throws Exception {
        var queue = mail(mapped(Place.APART));
        for (var text : List.of("first", "second")) {
            queue.enqueue(Message.of(text).dedupKey("k"));
            bury(queue, 1);
        }

        assertThat(queue.deadLetters().replayAll()).isEqualTo(new Replayed(1, 1));

        opened.add(queue.worker().events(recorder).handle(this::keep));
        recorder.await("done");
        assertThat(queue.deadLetters().replayAll()).isEqualTo(new Replayed(1, 0));
        recorder.await("done");
        assertThat(deliveries).extracting(Delivery::payload).containsExactly("first", "second");
    }

    @Test
    void inRowModeTheWholeRowComesBack() throws Exception {
        var queue = mail(table.rows(form).deadLetters(graves.rowGraves()));
        var record = here.dsl().newRecord(table);
        record.set(table.body, "whole");
        record.set(table.remark, "with a remark");
        queue.enqueue(record);
        bury(queue, 1);

        assertThat(queue.deadLetters().list(1)).singleElement().satisfies(letter -> {
            assertThat(letter.payload().get(table.remark)).isEqualTo("with a remark");
            assertThat(letter.payload().get(table.endedAt)).isNotNull();
            assertThat(letter.error()).hasValue("no such mailbox");
        });
        assertThat(queue.deadLetters().replayAll()).isEqualTo(new Replayed(1, 0));

        assertThat(rows(table)).singleElement().satisfies(row -> {
            assertThat(row.get(table.body)).isEqualTo("whole");
            assertThat(row.get(table.remark)).isEqualTo("with a remark");
            assertThat(row.get(table.endedAt)).isNull();
            assertThat(row.get(table.lastError)).isNull();
        });
    }

    @Test
    void idsOfTheApplicationAreAskedForAgain() throws Exception {
        var named = unmade().ids(SQLDataType.VARCHAR(40).nullable(false)).create(here.dsl());
        var dead = unmade().ids(SQLDataType.VARCHAR(40).nullable(false)).createBare(here.dsl());
        var queue = mail(named.mapped(form)
                .deadLetters(dead.graves())
                .ids(() -> UUID.randomUUID().toString()));
        queue.enqueueAll(List.of("one", "two"));
        bury(queue, 2);
        var before = queue.deadLetters().list(2).stream().map(DeadLetter::id).toList();

        assertThat(queue.deadLetters().replayAll()).isEqualTo(new Replayed(2, 0));

        assertThat(rows(named))
                .hasSize(2)
                .extracting(row -> row.get(named.id))
                .doesNotHaveDuplicates()
                .noneSatisfy(id -> assertThat(id).isIn(before));
    }

    @Test
    void whereNobodyGivesIdsAMessageGetsBackTheOneThatItHad() throws Exception {
        var named = unmade().ids(SQLDataType.VARCHAR(40).nullable(false)).create(here.dsl());
        var dead = unmade().ids(SQLDataType.VARCHAR(40).nullable(false)).createBare(here.dsl());
        var queue = mail(named.rows(form).deadLetters(dead.rowGraves()));
        var record = here.dsl().newRecord(named);
        record.fromMap(Map.of("id", "mine", "body", "whole"));
        queue.enqueue(record);
        bury(queue, 1);

        assertThat(queue.deadLetters().replay("mine")).isTrue();

        assertThat(rows(named))
                .singleElement()
                .satisfies(row -> assertThat((Object) row.get(named.id)).isEqualTo("mine"));
    }

    @Test
    void deadLettersArePurgedByTheirAge() throws Exception {
        for (var place : List.of(Place.APART, Place.IN_PLACE)) {
            var queue = mail(mapped(place));
            queue.enqueue("old");
            bury(queue, 1);
            clock.advance(Duration.ofHours(2));
            queue.enqueue("young");
            bury(queue, 1);

            assertThat(queue.deadLetters().purge(Duration.ofHours(1))).isOne();

            assertThat(queue.deadLetters().list(9))
                    .extracting(DeadLetter::payload)
                    .containsExactly("young");
        }
    }

    @Test
    void deadLettersOfWhichNoColumnTellsTheAgeAreNotPurged() {
        assertThatThrownBy(() -> mail(mapped(Place.OTHER_QUEUE)).deadLetters().purge(Duration.ofHours(1)))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", table.getName(), "finishedAt(..)");
    }

    @Test
    void aTableWithoutAPlaceForThemRefusesThem() {
        assertThatThrownBy(() -> mail(table.mapped(form)).deadLetters())
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll(
                        "queue \"mail\"", table.getName(), "deadLetters(..)", "deadQueue(..)", "finishedAt(..)");
    }

    @Test
    void aPlaceThatKeepsNoPayloadIsRefused() {
        assertThatThrownBy(() ->
                        mail(table.mapped(form).deadLetters(graves.rowGraves())).deadLetters())
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", graves.getName(), "payload");
    }

    private QueueTable<String> mapped(Place place) {
        return to(place, table.mapped(form));
    }

    private <P> QueueTable<P> to(Place place, QueueTable<P> mapping) {
        return switch (place) {
            case APART -> mapping.deadLetters(graves.graves());
            case OTHER_QUEUE -> mapping.deadQueue("dead");
            case IN_PLACE -> mapping.finishedAt(table.endedAt);
        };
    }

    /** Lets a worker bury what is in a queue. */
    private void bury(Queue<?> queue, int messages) throws InterruptedException {
        var worker = burying(queue).handle(delivery -> Outcome.reject("no such mailbox"));
        recorder.await("deadLettered", messages);
        worker.close();
    }

    private <P> WorkerBuilder<P> burying(Queue<P> queue) {
        return queue.worker()
                .pollInterval(POLL)
                .retry(RetryPolicy.fixed(Duration.ZERO).attempts(3))
                .events(recorder);
    }

    /** Writes so many dead letters, as workers leave them. */
    private void layDown(Place place, int letters) {
        var target = place == Place.APART ? graves : table;
        var topic = place == Place.OTHER_QUEUE ? "dead" : "mail";
        var now = Micros.of(clock.instant());
        var ended = place == Place.OTHER_QUEUE ? null : now;
        var rows = here.dsl()
                .insertInto(
                        target,
                        target.body,
                        target.topic,
                        target.retryAfter,
                        target.tries,
                        target.endedAt,
                        target.lastError);
        for (int number = 0; number < letters; number++) {
            rows = rows.values("m" + number, topic, now, 3, ended, "no such mailbox");
        }
        rows.execute();
    }

    private static Replayed oneByOne(Queue<?> queue) {
        var box = queue.deadLetters();
        return new Replayed(
                (int) box.list(MANY).stream()
                        .filter(letter -> box.replay(letter.id()))
                        .count(),
                0);
    }

    private static int replayed(Queue<?> queue, int times) {
        return IntStream.range(0, times)
                .map(time -> queue.deadLetters().replayAll().messages())
                .sum();
    }

    private Outcome keep(Delivery<String> delivery) {
        deliveries.add(delivery);
        return Outcome.done();
    }

    private <R> List<R> atOnce(List<Callable<R>> tasks) throws Exception {
        var threads = Executors.newFixedThreadPool(tasks.size());
        opened.add(threads::shutdownNow);
        var results = new ArrayList<R>();
        for (var done : threads.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
            results.add(done.get());
        }
        return results;
    }
}
