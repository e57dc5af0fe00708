package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Delivery;
import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.RetryPolicy;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jooq.DataType;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each part of a mapping does where it is mapped, and what is different where it is not, on every database.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
public abstract class MappingContract extends TableContract {

    private static final Map<String, String> HEADERS = headers();

    private final BlockingQueue<Delivery<String>> deliveries = new LinkedBlockingQueue<>();

    /** The contract on a database, in a form. */
    protected MappingContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    static Stream<DataType<?>> headerTypes() {
        return Stream.of(SQLDataType.CLOB, SQLDataType.VARCHAR(1_000), SQLDataType.JSON, SQLDataType.JSONB);
    }

    @ParameterizedTest
    @MethodSource("headerTypes")
    void headersArriveAsTheyWereGiven(DataType<?> type) throws Exception {
        var table = unmade().headers(type).create(here.dsl());
        var queue = mail(table.mapped(form));
        queue.enqueueMessages(List.of(Message.of("with").headers(HEADERS), Message.of("without")));
        opened.add(queue.worker().concurrency(1).events(recorder).handle(this::keep));

        recorder.await("done", 2);

        assertThat(take(deliveries).headers()).isEqualTo(HEADERS);
        assertThat(take(deliveries).headers()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("headerTypes")
    void headersThatAreNoObjectOfStringsRejectTheirMessageOnly(DataType<?> type) throws Exception {
        var table = unmade().headers(type).create(here.dsl());
        var queue = mail(table.mapped(form)
                .deadLetters(unmade().headers(type).create(here.dsl()).graves()));
        queue.enqueue("foreign");
        here.dsl()
                .update(table)
                .set(Map.of(table.headers, DSL.val("{\"nested\": {\"a\": 1}}", type)))
                .execute();
        queue.enqueue("fine");
        opened.add(queue.worker().concurrency(2).events(recorder).handle(this::keep));

        recorder.awaitSettled(2);

        assertThat(take(deliveries).payload()).isEqualTo("fine");
        assertThat(recorder.await("deadLettered").detail()).contains("headers cannot be read");
    }

    @Test
    void headersThatNotEveryDatabaseStoresAreRefusedBeforeTheInsert() {
        var table = made();
        var queue = mail(table.mapped(form));

        assertThatThrownBy(() -> queue.enqueue(Message.of("x").header("nul", "a\0b")))
                .hasMessageContainingAll("queue \"mail\"", table.getName(), "nul", "U+0000");
        assertThatThrownBy(() -> queue.enqueue(Message.of("x").header("half", "\ud83d")))
                .hasMessageContainingAll("half", "U+D83D");

        assertThat(rows(table)).isEmpty();
    }

    @Test
    void whatNoColumnHoldsIsRefusedWithThePartThatIsMissing() {
        var table = made();
        var queue = mail(table.held(form, QueueTable.of(table, table.id, table.body)));

        assertThatThrownBy(() -> queue.enqueue(Message.of("x").header("a", "b")))
                .hasMessageContainingAll("queue \"mail\"", table.getName(), "headers(..)");
        assertThatThrownBy(() -> queue.enqueue(Message.of("x").dedupKey("b"))).hasMessageContaining("dedupKey(..)");
        assertThatThrownBy(() -> queue.enqueue(Message.of("x").delayed(Duration.ofSeconds(1))))
                .hasMessageContaining("dueAt(..)");
        assertThatThrownBy(() -> queue.enqueue(Message.of("x").dueAt(clock.instant())))
                .hasMessageContaining("dueAt(..)");
        assertThatThrownBy(() -> queue.enqueue(Message.of("x").priority(1))).hasMessageContaining("priority(..)");

        assertThat(rows(table)).isEmpty();
    }

    @Test
    void anIdAndAPayloadAreAMinimalQueue() throws Exception {
        var table = made();
        var queue = mail(table.held(form, QueueTable.of(table, table.id, table.body)));
        var ids = List.of(queue.enqueue("one").id(), queue.enqueue("two").id());
        opened.add(queue.worker().events(recorder).handle(this::keep));

        recorder.await("done", 2);

        assertThat(List.of(take(deliveries), take(deliveries)))
                .extracting(Delivery::id)
                .isEqualTo(ids);
        assertThat(rows(table)).isEmpty();
    }

    @Test
    void aMinimalQueueHasNoDelayBetweenRetriesAndCountsNoDeliveries() throws Exception {
        var table = made();
        var queue = mail(table.held(form, QueueTable.of(table, table.id, table.body)));
        queue.enqueue("unlucky");
        opened.add(queue.worker().pollInterval(POLL).events(recorder).handle(delivery -> {
            deliveries.add(delivery);
            return deliveries.size() < 3 ? Outcome.retry("again") : Outcome.done();
        }));

        recorder.await("done");

        assertThat(deliveries)
                .extracting(Delivery::attempt, Delivery::dueAt)
                .allSatisfy(seen -> assertThat(seen.toList()).hasToString("[1, Optional.empty]"));
        assertThat(rows(table)).isEmpty();
    }

    @Test
    void withoutAQueuePartTheWholeTableIsOneQueue() throws Exception {
        var table = made();
        var whole = table.held(form, QueueTable.of(table, table.id, table.body).attempt(table.tries));
        mail(table.mapped(form)).enqueue("of mail");
        here.queue(table.mapped(form), "parcels", time).enqueue("of parcels");
        here.queue(whole, "everything", time).enqueue("of nobody");
        opened.add(here.queue(whole, "any name", time).worker().events(recorder).handle(this::keep));

        recorder.await("done", 3);

        assertThat(deliveries).extracting(Delivery::payload).containsExactly("of mail", "of parcels", "of nobody");
        assertThat(rows(table)).isEmpty();
    }

    @Test
    void aRetryLimitThatCannotBeKeptIsRefusedWithTheColumnThatIsMissing() {
        var table = made();
        var bare = table.held(form, QueueTable.of(table, table.id, table.body));
        var counting = bare.attempt(table.tries);
        var keeping = bare.finishedAt(table.endedAt).error(table.lastError);
        var limit = RetryPolicy.ofDefaults().attempts(3);

        assertThatThrownBy(() -> mail(counting).worker().retry(limit)).hasMessageContaining("no place for dead");
        assertThatThrownBy(() -> mail(keeping).worker().retry(limit)).hasMessageContaining("does not count attempts");
        assertThat(mail(counting.finishedAt(table.endedAt).error(table.lastError))
                        .worker()
                        .retry(limit))
                .isNotNull();
    }

    @Test
    void deadMessagesGoToAnotherQueueOfTheTable() throws Exception {
        var table = made();
        var queue = mail(table.mapped(form).deadQueue("mail of the dead"));
        var id = queue.enqueue("hopeless").id();
        opened.add(queue.worker()
                .pollInterval(POLL)
                .retry(RetryPolicy.fixed(Duration.ZERO).attempts(2))
                .events(recorder)
                .handle(delivery -> Outcome.retry("still hopeless")));
        recorder.await("deadLettered");
        assertThat(rows(table)).singleElement().satisfies(row -> {
            assertThat(row.get(table.tries)).isEqualTo(2);
            assertThat(row.get(table.lastError)).isEqualTo("still hopeless");
            assertThat(row.get(table.lockedUntil)).isNull();
        });

        opened.add(here.queue(table.mapped(form), "mail of the dead", time)
                .worker()
                .events(recorder)
                .handle(this::keep));
        recorder.await("done");

        assertThat(take(deliveries).id()).isEqualTo(id);
    }

    @Test
    void deadMessagesStayInPlaceWhereFinishedRowsAreKept() throws Exception {
        var table = made();
        var queue = mail(table.mapped(form).finishedAt(table.endedAt));
        queue.enqueue("hopeless");
        opened.add(queue.worker()
                .pollInterval(POLL)
                .retry(RetryPolicy.fixed(Duration.ZERO).attempts(2))
                .events(recorder)
                .handle(delivery -> Outcome.retry("still hopeless")));

        recorder.await("deadLettered");
        recorder.await("claimed");
        recorder.await("claimed");

        assertThat(rows(table)).singleElement().satisfies(row -> {
            assertThat(row.get(table.endedAt)).isEqualTo(Micros.of(clock.instant()));
            assertThat(row.get(table.lastError)).isEqualTo("still hopeless");
            assertThat(row.get(table.lockedUntil)).isNull();
        });
    }

    @Test
    void aDeadLetterKeepsWhatItsTableHasAColumnFor() throws Exception {
        var table = made();
        var dead = unmade().createBare(here.dsl());
        var queue = mail(table.mapped(form).deadLetters(dead.graves()));
        queue.enqueue(Message.of("unwanted").header("a", "b").dedupKey("once"));
        here.dsl().update(table).set(table.bornAt, 13L).execute();
        queue.enqueue(Message.of("unwanted").dedupKey("twice"));
        opened.add(queue.worker().events(recorder).handle(delivery -> Outcome.reject("really")));

        recorder.await("deadLettered", 2);

        assertThat(rows(table)).isEmpty();
        assertThat(rows(dead).stream().filter(row -> "once".equals(row.get(dead.once))))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.get(dead.headers)).isEqualTo("{\"a\":\"b\"}");
                    assertThat(row.get(dead.bornAt)).isEqualTo(13);
                    assertThat(row.get(dead.topic)).isEqualTo("mail");
                    assertThat(row.get(dead.lastError)).isEqualTo("really");
                });
    }

    @Test
    void inRowModeTheHandlerGetsTheTablesRecordAsItWasClaimed() throws Exception {
        var table = made();
        var queue = mail(table.rows(form));
        var record = table.newRecord();
        record.set(table.body, "letter");
        record.set(table.remark, "by hand");
        record.set(table.topic, "not mail");
        record.set(table.tries, 20);
        record.set(table.lockedUntil, form == LockForm.LEASE ? Long.MAX_VALUE : null);
        var id = queue.enqueue(Message.of(record).header("a", "b").priority(2)).id();
        var seen = new LinkedBlockingQueue<Delivery<Record>>();
        opened.add(queue.worker().events(recorder).handle(delivery -> {
            seen.add(delivery);
            return Outcome.done();
        }));

        recorder.await("done");

        var delivery = take(seen);
        assertThat(delivery.headers()).containsOnly(Map.entry("a", "b"));
        assertThat(delivery.attempt()).isOne();
        assertThat(delivery.payload()).hasSameClassAs(table.newRecord()).satisfies(row -> {
            assertThat(row.get(table.id)).isEqualTo(id);
            assertThat(row.get(table.body)).isEqualTo("letter");
            assertThat(row.get(table.remark)).isEqualTo("by hand");
            assertThat(row.get(table.topic)).isEqualTo("mail");
            assertThat(row.get(table.urgency)).isEqualTo(2);
            assertThat(row.get(table.tries)).isOne();
            assertThat(row.get(table.retryAfter)).isEqualTo(Micros.of(clock.instant()));
            assertThat(row.get(table.bornAt)).isEqualTo(7);
            assertThat(row.get(table.lockedUntil) != null).isEqualTo(form == LockForm.LEASE);
            assertThat(row.get(table.claimToken) != null).isEqualTo(form == LockForm.LEASE);
            assertThat(row.get(table.lastError)).isNull();
        });
        assertThat(rows(table)).isEmpty();
    }

    @Test
    void inRowModeARecordsOwnDueTimeAndKeyHoldUnlessTheMessageSaysOtherwise() {
        var table = made();
        var queue = mail(table.rows(form));
        var record = table.newRecord();
        record.set(table.body, "later");
        record.set(table.retryAfter, 77L);
        record.set(table.once, "key");
        var first = queue.enqueue(record);
        var second = queue.enqueue(record);
        queue.enqueueMessages(List.of(
                Message.of(record),
                Message.of(record).dedupKey("other").dueAt(clock.instant().plusSeconds(1))));

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.isNew()).isFalse();
        assertThat(rows(table))
                .extracting(row -> row.get(table.retryAfter))
                .containsExactlyInAnyOrder(77L, Micros.of(clock.instant().plusSeconds(1)));
    }

    @Test
    void inRowModeAColumnThatCannotBeReadRejectsItsRowOnlyAndTheRestIsCopiedToTheDeadLetters() throws Exception {
        var table = made();
        var dead = unmade().createBare(here.dsl());
        var picky = new PickyTable(table.getName());
        var plain = mail(table.rows(form));
        for (var remark : List.of("1", "two", "3")) {
            var record = table.newRecord();
            record.set(table.body, "body of " + remark);
            record.set(table.remark, remark);
            plain.enqueue(record);
        }
        var mapping = QueueTable.of(picky, picky.id).queue(picky.topic).deadLetters(dead.rowGraves());
        var queue = mail(form == LockForm.LEASE ? mapping.leasedUntil(picky.lockedUntil) : mapping);
        var seen = new LinkedBlockingQueue<Integer>();
        opened.add(queue.worker().concurrency(3).events(recorder).consume(row -> seen.add(row.get(picky.remark))));

        recorder.awaitSettled(3);

        assertThat(seen).containsExactlyInAnyOrder(1, 3);
        assertThat(rows(dead)).singleElement().satisfies(row -> {
            assertThat(row.get(dead.body)).isEqualTo("body of two");
            assertThat(row.get(dead.remark)).isEqualTo("two");
            assertThat(row.get(dead.lastError)).contains("column remark").contains("two");
        });
    }

    @Test
    void inRowModeAColumnThatTheDatabaseDoesNotHaveIsRefusedAtStart() {
        var table = made();
        var queue = mail(table.rows(form));
        here.dsl().alterTable(table).dropColumn(table.remark).execute();

        assertThatThrownBy(() -> queue.worker().consume(row -> {}))
                .hasMessageContainingAll("queue \"mail\"", table.getName(), "remark");
    }

    static Stream<DataType<?>> givenIds() {
        return Stream.of(SQLDataType.UUID, SQLDataType.VARCHAR(36), SQLDataType.CHAR(36), SQLDataType.BIGINT);
    }

    @ParameterizedTest
    @MethodSource("givenIds")
    void theApplicationMayGiveTheIds(DataType<?> type) throws Exception {
        var table = unmade().ids(type.nullable(false)).create(here.dsl());
        var numbers = Stream.iterate(1L, n -> n + 1).iterator();
        var mapping = table.mapped(form)
                .deadQueue("dead")
                .ids(() -> type == SQLDataType.BIGINT ? numbers.next() : UUID.randomUUID());
        var queue = mail(mapping);
        queue.enqueueAll(List.of("one", "two"));
        var receipt = queue.enqueue(Message.of("three").dedupKey("3"));
        assertThat(queue.enqueue(Message.of("three").dedupKey("3")))
                .returns(receipt.id(), r -> r.id())
                .returns(false, r -> r.isNew());
        assertThat(receipt.isNew()).isTrue();
        livesToTheEnd(mapping, 3);

        assertThat(deliveries)
                .filteredOn(delivery -> delivery.payload().equals("three"))
                .extracting(Delivery::id)
                .containsOnly(receipt.id());
    }

    static Stream<DataType<?>> generatedIds() {
        return Stream.of(SQLDataType.BIGINT.identity(true), SQLDataType.INTEGER.identity(true));
    }

    @ParameterizedTest
    @MethodSource("generatedIds")
    void theDatabaseMayGiveTheIds(DataType<?> type) throws Exception {
        var table = unmade().ids(type).create(here.dsl());
        var mapping = table.mapped(form).deadQueue("dead");
        var receipt = mail(mapping).enqueue("one");
        mail(mapping).enqueue("two");
        livesToTheEnd(mapping, 2);

        assertThat(deliveries)
                .filteredOn(delivery -> delivery.payload().equals("one"))
                .extracting(Delivery::id)
                .containsOnly(receipt.id());
    }

    /** For databases that tell ids of any type. */
    protected void aDefaultMayGiveUuidsAsIdsWhereTheDatabaseTellsThem() throws Exception {
        var table = unmade().ids(SQLDataType.UUID.nullable(false)).create(here.dsl());
        here.dsl()
                .execute("alter table %s alter column id set default %s"
                        .formatted(table.getName(), dialect() == SQLDialect.POSTGRES ? "gen_random_uuid()" : "uuid()"));
        var mapping = table.mapped(form).deadQueue("dead");
        var receipt = mail(mapping).enqueue("one");
        livesToTheEnd(mapping, 1);

        assertThat(take(deliveries).id()).isEqualTo(receipt.id()).isInstanceOf(UUID.class);
    }

    /** For databases that tell only numbers that they count. */
    protected void idsThatTheDriverDoesNotTellAreRefusedWithTheRemedy() {
        var table = unmade().ids(SQLDataType.VARCHAR(36).nullable(false)).create(here.dsl());

        assertThatThrownBy(() -> mail(table.mapped(form)).enqueue("x"))
                .hasMessageContainingAll("queue \"mail\"", table.getName(), "ids(..)");
    }

    @Test
    void aTableNamedByHandTellsItsIdsToo() throws Exception {
        var table = made();
        var byHand = DSL.table(DSL.name(table.getName()));
        var id = DSL.field(DSL.name(table.getName(), "id"), Long.class);
        var mapping = QueueTable.of(byHand, id, DSL.field(DSL.name(table.getName(), "body"), String.class));
        var queue = mail(
                form == LockForm.LEASE
                        ? mapping.leasedUntil(DSL.field(DSL.name(table.getName(), "locked_until"), Long.class))
                        : mapping);
        var receipt = queue.enqueue("by hand");
        opened.add(queue.worker().events(recorder).handle(this::keep));

        recorder.await("done");

        assertThat(take(deliveries).id()).isEqualTo(receipt.id());
    }

    // Each is tried twice, then dead, then done from the dead queue.
    private void livesToTheEnd(QueueTable<String> mapping, int messages) throws Exception {
        opened.add(mail(mapping)
                .worker()
                .pollInterval(POLL)
                .concurrency(2)
                .retry(RetryPolicy.fixed(Duration.ZERO).attempts(2))
                .events(recorder)
                .handle(delivery -> Outcome.retry("once more")));
        recorder.await("deadLettered", messages);
        opened.add(here.queue(mapping.deadQueue("elsewhere"), "dead", time)
                .worker()
                .events(recorder)
                .handle(this::keep));
        recorder.await("done", messages);
        assertThat(rows(mapping.table())).isEmpty();
    }

    private Outcome keep(Delivery<String> delivery) {
        deliveries.add(delivery);
        return Outcome.done();
    }

    private static Map<String, String> headers() {
        var headers = new LinkedHashMap<String, String>();
        headers.put("plain", "value");
        headers.put("", "empty name");
        headers.put("empty value", "");
        headers.put("quotes \" and \\ and /", "lines\n\r\t\b\f\u0001\u001f");
        headers.put("f\u00e4rben \ud83d\udceb", "\u2028 \uffff ${x} %s ' ` ; --");
        return headers;
    }
}
