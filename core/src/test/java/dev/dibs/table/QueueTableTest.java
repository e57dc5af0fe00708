package dev.dibs.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.EmailJobs;
import java.time.Duration;
import java.util.List;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class QueueTableTest {

    private static final EmailJobs JOBS = new EmailJobs();
    private static final EmailJobs DEAD = new EmailJobs("email_jobs_dead");

    private final QueueTable<String> bare = QueueTable.of(JOBS, JOBS.id, JOBS.payload);
    private final QueueTable<String> full = bare.error(JOBS.error)
            .headers(JOBS.headers)
            .createdAt(JOBS.createdAt)
            .dedupKey(JOBS.dedupKey)
            .finishedAt(JOBS.finishedAt)
            .orderKey(JOBS.orderKey)
            .leaseToken(JOBS.leaseToken)
            .leasedUntil(JOBS.leasedUntil)
            .attempt(JOBS.attempt)
            .dueAt(JOBS.dueAt)
            .priority(JOBS.priority)
            .queue(JOBS.queue);

    @Test
    void everySetterMapsItsOwnPart() {
        assertThat(full.columns())
                .containsExactly(
                        new Column(Part.ID, JOBS.id),
                        new Column(Part.PAYLOAD, JOBS.payload),
                        new Column(Part.QUEUE, JOBS.queue),
                        new Column(Part.PRIORITY, JOBS.priority),
                        new Column(Part.DUE_AT, JOBS.dueAt),
                        new Column(Part.ATTEMPT, JOBS.attempt),
                        new Column(Part.LEASED_UNTIL, JOBS.leasedUntil),
                        new Column(Part.LEASE_TOKEN, JOBS.leaseToken),
                        new Column(Part.ORDER_KEY, JOBS.orderKey),
                        new Column(Part.FINISHED_AT, JOBS.finishedAt),
                        new Column(Part.DEDUP_KEY, JOBS.dedupKey),
                        new Column(Part.CREATED_AT, JOBS.createdAt),
                        new Column(Part.HEADERS, JOBS.headers),
                        new Column(Part.ERROR, JOBS.error));
    }

    @Test
    void theIdAndThePayloadAreEnough() {
        assertThat(bare.columns())
                .containsExactly(new Column(Part.ID, JOBS.id), new Column(Part.PAYLOAD, JOBS.payload));
    }

    @Test
    void theIdIsEnoughWhereTheWholeRowIsThePayload() {
        var rows = QueueTable.of(JOBS, JOBS.id);

        assertThat(rows.isRowMode()).isTrue();
        assertThat(bare.isRowMode()).isFalse();
        assertThat(rows.columns()).containsExactly(new Column(Part.ID, JOBS.id));
        assertThat(rows.unmapped()).contains(JOBS.payload, JOBS.headers).doesNotContain(JOBS.id);
        assertThatThrownBy(rows::payload).hasMessageContaining("payload");
    }

    @Test
    void rowsOfATableThatNamesNoColumnsCannotBeThePayload() {
        assertThatThrownBy(() -> QueueTable.of(DSL.table(DSL.name("jobs")), DSL.field(DSL.name("id"), Long.class)))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("\"jobs\"", "names no columns", "payload");
    }

    @Test
    void anIdWithoutAnOrderIsRefused() {
        var bytes = DSL.field(DSL.name("id"), byte[].class);

        assertThatThrownBy(() -> QueueTable.of(DSL.table(DSL.name("jobs")), bytes, JOBS.payload))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("\"jobs\"", "byte[]", "converter");
    }

    @Test
    void whoGivesTheIdsIsKeptByTheSettersAfterIt() {
        var given = bare.ids(() -> 7L).queue(JOBS.queue).deadQueue("dead");

        assertThat(bare.ids()).isEmpty();
        assertThat(given.ids()).hasValueSatisfying(ids -> assertThat(ids.get()).isEqualTo(7L));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"ID", "PAYLOAD"},
            mode = EnumSource.Mode.EXCLUDE)
    void aSetterLeavesTheMappingItIsCalledOnAsItWas(Part part) {
        assertThat(full.has(part)).isTrue();
        assertThat(bare.has(part)).isFalse();
    }

    @Test
    void theMappedColumnsCannotBeChangedFromOutside() {
        assertThat(full.columns()).isUnmodifiable();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"ID", "PAYLOAD"},
            mode = EnumSource.Mode.EXCLUDE)
    void aMissingPartIsNamedWithTheSetterThatMapsIt(Part part) {
        assertThatThrownBy(() -> bare.column(part))
                .isInstanceOf(QueueException.class)
                .hasMessage("table \"email_jobs\": no column plays the part %s; map one with %s(..)", part, part);
    }

    @Test
    void aMissingPartIsFoundNowhere() {
        assertThat(bare.find(Part.DUE_AT)).isEmpty();
    }

    @Test
    void aColumnThatTheTableDoesNotHaveIsRefused() {
        var stranger = DSL.field(DSL.name("sms_jobs", "sender"), SQLDataType.VARCHAR);

        assertThatThrownBy(() -> bare.queue(stranger))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "table \"email_jobs\": the part queue was given the column \"sms_jobs\".\"sender\", which this"
                                + " table does not have; its columns are %s",
                        List.of(JOBS.fields()));
    }

    @Test
    void aColumnNamedByHandIsFoundAmongThoseOfTheTable() {
        var named = DSL.field(DSL.name("name"), SQLDataType.VARCHAR);

        assertThat(bare.queue(named).has(Part.QUEUE)).isTrue();
    }

    @Test
    void anyColumnIsAcceptedWhereTheTableIsNamedByHand() {
        var id = DSL.field(DSL.name("id"), SQLDataType.BIGINT);
        var text = DSL.field(DSL.name("text"), SQLDataType.CLOB);

        assertThat(QueueTable.of(DSL.table(DSL.name("notes")), id, text).columns())
                .containsExactly(new Column(Part.ID, id), new Column(Part.PAYLOAD, text));
    }

    @Test
    void aColumnPlaysOnePartOnly() {
        var leased = bare.leasedUntil(JOBS.leasedUntil);

        assertThatThrownBy(() -> leased.dueAt(JOBS.leasedUntil))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "table \"email_jobs\": the column \"email_jobs\".\"locked_until\" plays the part leasedUntil"
                                + " and cannot play dueAt too");
    }

    @Test
    void theIdIsNotThePayload() {
        assertThatThrownBy(() -> QueueTable.of(JOBS, JOBS.id, JOBS.id))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "table \"email_jobs\": the column \"email_jobs\".\"job_id\" plays the part id and cannot play"
                                + " payload too");
    }

    @Test
    void theSecondColumnOfAPartReplacesTheFirst() {
        assertThat(bare.queue(JOBS.error).queue(JOBS.queue).columns())
                .containsOnlyOnce(new Column(Part.QUEUE, JOBS.queue))
                .hasSize(3);
    }

    @Test
    void withoutALeaseRowsAreHeldByTheirLocks() {
        assertThat(bare.lockForm()).isEqualTo(LockForm.ROW_LOCK);
    }

    @Test
    void theColumnWithTheEndOfTheLeaseChoosesTheLeaseForm() {
        assertThat(bare.leasedUntil(JOBS.leasedUntil).lockForm()).isEqualTo(LockForm.LEASE);
    }

    @Test
    void deadMessagesHaveNoPlaceUnlessOneIsMapped() {
        assertThat(bare.destination()).isEqualTo(new DeadLetters.Nowhere());
    }

    @Test
    void deadMessagesStayInPlaceWhereTheirEndAndTheirErrorAreKept() {
        assertThat(bare.finishedAt(JOBS.finishedAt).error(JOBS.error).destination())
                .isEqualTo(new DeadLetters.InPlace());
    }

    @Test
    void aFinishedRowWithoutItsErrorIsNoPlaceForDeadMessages() {
        assertThat(bare.finishedAt(JOBS.finishedAt).destination()).isEqualTo(new DeadLetters.Nowhere());
    }

    @Test
    void anErrorWithoutTheRowsEndIsNoPlaceForDeadMessages() {
        assertThat(bare.error(JOBS.error).destination()).isEqualTo(new DeadLetters.Nowhere());
    }

    @Test
    void deadMessagesGoToASecondTable() {
        var dead = QueueTable.of(DEAD, DEAD.id, DEAD.payload);

        assertThat(bare.deadLetters(dead).destination()).isEqualTo(new DeadLetters.OtherTable(dead));
    }

    @Test
    void aSecondTableWinsOverTheirOwnPlace() {
        var dead = QueueTable.of(DEAD, DEAD.id, DEAD.payload);

        assertThat(full.deadLetters(dead).destination()).isEqualTo(new DeadLetters.OtherTable(dead));
    }

    @Test
    void deadMessagesGoToAnotherQueueOfTheTable() {
        assertThat(bare.queue(JOBS.queue).deadQueue("dead emails").destination())
                .isEqualTo(new DeadLetters.OtherQueue("dead emails"));
    }

    @Test
    void aPartMappedLaterKeepsThePlaceOfDeadMessages() {
        assertThat(bare.queue(JOBS.queue)
                        .deadQueue("dead emails")
                        .attempt(JOBS.attempt)
                        .destination())
                .isEqualTo(new DeadLetters.OtherQueue("dead emails"));
    }

    @Test
    void choosingAPlaceForDeadMessagesLeavesTheMappingAsItWas() {
        var queues = bare.queue(JOBS.queue);

        assertThat(queues.deadQueue("dead emails")).isNotSameAs(queues);
        assertThat(queues.destination()).isEqualTo(new DeadLetters.Nowhere());
    }

    @Test
    void aDeadQueueNeedsAColumnWithTheQueuesName() {
        assertThatThrownBy(() -> bare.deadQueue("dead emails"))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "table \"email_jobs\": dead messages cannot go to queue \"dead emails\", for no column plays"
                                + " the part queue; map one with queue(..)");
    }

    @Test
    void aColumnIsNamedByItsPartAndItsName() {
        assertThat(new Column(Part.DUE_AT, JOBS.dueAt)).hasToString("dueAt -> \"retry_after\"");
    }

    @Test
    void aColumnOfAnotherTableIsRefusedThoughThisOneHasItsName() {
        assertThatThrownBy(() -> bare.queue(DEAD.queue))
                .isInstanceOf(QueueException.class)
                .hasMessageStartingWith(
                        "table \"email_jobs\": the part queue was given the column \"email_jobs_dead\".\"name\", which"
                                + " this table does not have");
    }

    @Test
    void aBlankDeadQueueIsRefused() {
        var queues = bare.queue(JOBS.queue);

        assertThatThrownBy(() -> queues.deadQueue(" ")).isInstanceOf(QueueException.class);
    }

    @Test
    void aDeadQueueLongerThanItsColumnIsRefused() {
        var queues = bare.queue(JOBS.queue);

        assertThatThrownBy(() -> queues.deadQueue("d".repeat(EmailJobs.QUEUE_LENGTH + 1)))
                .isInstanceOf(QueueException.class);
    }

    @Test
    void aTableIsNotItsOwnSecondTable() {
        assertThatThrownBy(() -> bare.deadLetters(full)).isInstanceOf(QueueException.class);
    }

    @Test
    void theMappedColumnsChooseTheLockForm() {
        assertThat(bare.lockForm()).isEqualTo(LockForm.ROW_LOCK);
        assertThat(bare.leasedUntil(JOBS.leasedUntil).lockForm()).isEqualTo(LockForm.LEASE);
        assertThat(bare.lockKey(JOBS.queue, JOBS.orderKey).lockForm()).isEqualTo(LockForm.ADVISORY);
    }

    @Test
    void aRowIsHeldInOneFormOnly() {
        assertThatThrownBy(() -> bare.lockKey(JOBS.queue).leasedUntil(JOBS.leasedUntil))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "table \"email_jobs\": both leasedUntil and lockKey are mapped, and a row is held in one form;"
                                + " leave one of them out");
    }

    @Test
    void aLockKeyIsOfTheTablesOwnColumns() {
        assertThatThrownBy(() -> bare.lockKey(DEAD.queue))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("the part lockKey was given the column \"email_jobs_dead\".\"name\"");
    }

    @Test
    void anOrderBesideALockKeyIsRefused() {
        assertThatThrownBy(() -> bare.orderKey(JOBS.orderKey).lockKey(JOBS.queue))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("\"email_jobs\"", "orderKey or fifo", "lockKey");
    }

    @Test
    void anOrderOfIdsThatDoNotCountIsRefused() {
        assertThatThrownBy(() -> QueueTable.of(JOBS, JOBS.payload, JOBS.error).orderKey(JOBS.orderKey))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "table \"email_jobs\": messages are to go in the order of their ids, but the id payload is read"
                                + " as String; map an id of type bigint or int");
    }

    @Test
    void aPriorityThatWouldHaveNoEffectIsRefused() {
        assertThatThrownBy(() -> bare.fifo(OrderPolicy.BLOCK).priority(JOBS.priority))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("\"email_jobs\"", "fifo", "urgency");
    }

    @Test
    void resultsHaveIdsOfTheMessagesType() {
        var place = ResultTable.of(DEAD, DEAD.payload, DEAD.queue, DEAD.error, DEAD.dueAt);

        assertThatThrownBy(() -> bare.resultsIn(place))
                .isInstanceOf(QueueException.class)
                .hasMessage("table \"email_jobs\": its ids are read as Long, and those of results in table"
                        + " \"email_jobs_dead\" as String; give both columns one type");
    }

    @Test
    void resultsAreKeptForAWhile() {
        var place = ResultTable.of(DEAD, DEAD.id, DEAD.queue, DEAD.error, DEAD.dueAt);

        assertThatThrownBy(() -> place.keepFor(Duration.ZERO))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("\"email_jobs_dead\"", "PT0S", "more than zero");
        assertThat(place.keepFor()).isEqualTo(Duration.ofHours(1));
        assertThat(bare.resultsIn(place.keepFor(Duration.ofDays(1)))
                        .pausedIn(PauseTable.of(DEAD, DEAD.queue, DEAD.attempt))
                        .results())
                .hasValueSatisfying(kept -> assertThat(kept.keepFor()).isEqualTo(Duration.ofDays(1)));
    }
}
