package dev.dibs.codegen;

import static dev.dibs.codegen.EmailJobs.STATEMENT;
import static dev.dibs.codegen.EmailJobs.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fails the build, in the words that a user reads. */
final class RefusalTest {

    @TempDir
    private Path directory;

    @Test
    void aStatementWithoutALockFormIsRefused() throws Exception {
        refused(TABLE, "payload=payload", """
                table email_jobs: "dibs: payload=payload" does not begin with a lock form; \
                begin with one of lease, row-lock, advisory, dead-letters""");
    }

    @Test
    void anUnknownPartIsRefused() throws Exception {
        refused(TABLE, "lease due=retry_at", """
                table email_jobs: "due" is no part of a queue table; the parts are id, payload, queue, priority, dueAt, \
                attempt, leasedUntil, leaseToken, orderKey, finishedAt, dedupKey, createdAt, headers, error and lockKey""");
    }

    @Test
    void aPartWithoutAColumnIsRefused() throws Exception {
        refused(TABLE, "lease dueAt=", """
                table email_jobs: "dueAt=" names no column; write one after the sign, or - where none is to play the part""");
    }

    @Test
    void aColumnThatIsNotThereIsRefused() throws Exception {
        refused(TABLE, "lease dueAt=not_before", """
                table email_jobs: the part dueAt is stated to be played by the column "not_before", which this table does not \
                have; its columns are "job_id", "name", "payload", "priority", "retry_at", "attempt", "locked_until", "note\"""");
    }

    @Test
    void aStatedPartThatNoColumnIsKnownToPlayIsRefused() throws Exception {
        refused(TABLE, "lease queue", """
                table email_jobs: the part queue is stated, but no column has a name that is known for it (queue, queue_name); \
                state queue=.. with the column's name""");
    }

    @Test
    void twoStatedColumnsForOnePartAreRefused() throws Exception {
        refused(TABLE, "lease queue=name queue=note", """
                table email_jobs: two columns are stated for the part queue, "name" and "note"; leave one of them out""");
    }

    @Test
    void twoColumnsWithNamesForOnePartAreRefused() throws Exception {
        refused(TABLE.replace("note         text", "due_at bigint"), STATEMENT, """
                table email_jobs: two columns could play the part dueAt, "retry_at", "due_at"; state which one does, \
                with dueAt=retry_at, or that none does, with dueAt=-""");
    }

    @Test
    void oneColumnForTwoPartsIsRefused() throws Exception {
        refused(TABLE, "lease queue=name orderKey=name", """
                table email_jobs: the column "name" is stated to play the part queue and cannot play orderKey too; \
                leave one of them out""");
    }

    @Test
    void theLeaseFormWithoutALeaseColumnIsRefused() throws Exception {
        refused(EmailJobs.without("locked_until"), STATEMENT, """
                table email_jobs: the form lease is stated, but no column plays the part leasedUntil; \
                add a nullable column leased_until, state leasedUntil=.., or state row-lock""");
    }

    @Test
    void anotherFormWithALeaseColumnIsRefused() throws Exception {
        refused(TABLE, "row-lock queue=name", """
                table email_jobs: the form row lock is stated, but the column "locked_until" plays the part leasedUntil, \
                which makes it the lease form; state lease, or leasedUntil=-""");
    }

    @Test
    void theAdvisoryFormWithoutAKeyIsRefused() throws Exception {
        refused(TABLE, "advisory queue=name leasedUntil=-", """
                table email_jobs: the form advisory is stated without the columns of its key; \
                add lockKey=column,column, or lockKey=- for one key of the whole table""");
    }

    @Test
    void aKeyBesideAnotherFormIsRefused() throws Exception {
        refused(TABLE, "lease queue=name lockKey=note", """
                table email_jobs: lockKey=note is stated beside the form lease; state advisory, or leave it out""");
    }

    @Test
    void anOrderKeyBesideTheAdvisoryFormIsRefused() throws Exception {
        refused(TABLE, "advisory queue=name leasedUntil=- lockKey=name orderKey=note", """
                table email_jobs: orderKey=note is stated beside the form advisory, whose messages have no order; \
                put the column into lockKey=.., or state another form""");
    }

    @Test
    void deadLettersWithALeaseAreRefused() throws Exception {
        refused(TABLE, "dead-letters queue=name", """
                table email_jobs: the form dead letters is stated, but the column "locked_until" plays the part leasedUntil, \
                which makes it the lease form; state lease, or leasedUntil=-""");
    }

    @Test
    void anOrderOfIdsThatDoNotCountIsRefused() throws Exception {
        refused(EmailJobs.with("job_id varchar(36) not null primary key"), "lease queue=name orderKey=note", """
                table email_jobs: messages are to go in the order of their ids, but the id "job_id" is varchar, \
                read as java.lang.String; have an id of type bigint or int, or leave orderKey=note out""");
    }

    @Test
    void aTableWithoutAnIdIsRefused() throws Exception {
        refused(EmailJobs.with("job_id bigint not null"), STATEMENT, """
                table email_jobs: no column plays the part id, for its primary key is not one column and none is named id; \
                state id=..""");
    }

    @Test
    void anIdThatMayBeNullIsRefused() throws Exception {
        refused(EmailJobs.with("job_id bigint"), "lease queue=name id=job_id", """
                table email_jobs: the column "job_id" plays the part id and may be null, but a row without an id cannot be \
                claimed; make it not null""");
    }

    @Test
    void aTextThatIsConvertedToATimeIsRefused() throws Exception {
        assertThat(emailJobs(EmailJobs.with("retry_at text not null"), STATEMENT)
                        .converted(".*\\.retry_at", "java.time.Instant", "shop.Times")
                        .refusal())
                .startsWith(
                        "table email_jobs: the column \"retry_at\" is text, read as java.time.Instant, and cannot play the part dueAt");
    }

    /** SQLite lets a primary key be null, except an integer. */
    @Test
    void aTextAsSqlitesKeyThatMayBeNullIsRefused() throws Exception {
        refused(EmailJobs.with("job_id text primary key"), STATEMENT, """
                table email_jobs: the column "job_id" plays the part id and may be null, but a row without an id cannot be \
                claimed; make it not null""");
    }

    @Test
    void anIdWithoutAnOrderIsRefused() throws Exception {
        refusedAsType("job_id blob not null primary key", """
                the column "job_id" is blob, read as [B, and cannot play the part id, \
                which takes a type that can be compared, such as bigint, int, uuid or text""");
    }

    @Test
    void aQueueThatIsNoTextIsRefused() throws Exception {
        refusedAsType("name int not null", """
                the column "name" is int, read as java.lang.Integer, and cannot play the part queue, \
                which takes a text that no converter changes""");
    }

    @Test
    void aPriorityThatIsNoNumberIsRefused() throws Exception {
        refusedAsType("priority text not null", """
                the column "priority" is text, read as java.lang.String, and cannot play the part priority, \
                which takes a number""");
    }

    @Test
    void aTimeThatIsNoneIsRefused() throws Exception {
        refusedAsType("retry_at boolean not null", """
                the column "retry_at" is boolean, read as java.lang.Boolean, and cannot play the part dueAt, \
                which takes a bigint or a date and time, as it is or converted to Instant, or on SQLite a text""");
    }

    @Test
    void aTimeOfThirtyTwoBitsIsRefused() throws Exception {
        refusedAsType("locked_until int", """
                the column "locked_until" is int, read as java.lang.Integer, and cannot play the part leasedUntil, \
                which takes a bigint or a date and time, as it is or converted to Instant, or on SQLite a text""");
    }

    @Test
    void aLeaseThatIsNeverNullIsRefused() throws Exception {
        refused(EmailJobs.with("locked_until bigint not null default 0"), STATEMENT, """
                table email_jobs: the column "locked_until" plays the part leasedUntil and is not null, but most rows have no \
                value there; let it be null""");
    }

    @Test
    @SuppressWarnings("deprecation") // the option is on its way out, and still there
    void columnsOfTheClassInsteadOfTheTableAreRefused() throws Exception {
        var generation = emailJobs(TABLE, STATEMENT)
                .with(configured -> configured.getGenerator().getGenerate().setInstanceFields(false));

        assertThat(generation.refusal()).isEqualTo("""
                the option instanceFields is false, and a mapping names the columns of a table's instance; \
                leave the option out""");
    }

    @Test
    void allTablesThatCannotBeMappedAreToldAtOnce() throws Exception {
        var generation = Generation.ofSqlite(directory, TABLE, "create table other (id integer primary key)")
                .property("dibs:.*", "lease lockKey=-");

        assertThat(generation.refusal()).contains("table email_jobs: lockKey=-", "\ntable other: lockKey=-");
    }

    private void refusedAsType(String column, String message) throws Exception {
        var part = message.replaceFirst("(?s).*play the part (\\w+).*", "$1");
        refused(
                EmailJobs.with(column),
                STATEMENT,
                "table email_jobs: %s; alter it, or state another column with %s=.., or %s=- for none"
                        .formatted(message, part, part));
    }

    private void refused(String table, String statement, String message) throws Exception {
        assertThat(emailJobs(table, statement).refusal()).isEqualTo(message);
    }

    private Generation emailJobs(String table, String statement) throws Exception {
        return Generation.ofSqlite(directory, table).property("dibs:email_jobs", statement);
    }
}
