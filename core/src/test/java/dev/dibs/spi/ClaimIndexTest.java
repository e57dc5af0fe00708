package dev.dibs.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.EmailJobs;
import dev.dibs.table.QueueTable;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClaimIndexTest {

    private static final EmailJobs JOBS = new EmailJobs();

    @ParameterizedTest
    @CsvSource({
        "LEFT_OUT,  name urgency retry_after job_id, true",
        "LEFT_OUT,  URGENCY NAME RETRY_AFTER JOB_ID PAYLOAD, true",
        "LEFT_OUT,  name urgency retry_after, false",
        "LEFT_OUT,  name retry_after urgency job_id, false",
        "LEFT_OUT,  name urgency job_id, false",
        "LEFT_OUT,  job_id, false",
        "SET_APART, name urgency retry_after, true",
        "SET_APART, name urgency job_id, false",
        "EITHER,    name urgency retry_after, true",
        "EITHER,    name, false"
    })
    void anIndexServesIfItsColumnsAreThoseOfTheClaimOrder(KeptRows kept, String columns, boolean serves) {
        var index = new TableIndex(List.of(columns.split(" ", -1)), "");

        assertThat(claimIndex(plain(), kept).isServedBy(index.columns(), index::isPartialOn))
                .isEqualTo(serves);
    }

    @ParameterizedTest
    @CsvSource({
        "LEFT_OUT,  name urgency retry_after job_id, '', false",
        "LEFT_OUT,  name urgency retry_after job_id, (finished_at IS NULL), true",
        "LEFT_OUT,  name finished_at urgency retry_after job_id, '', false",
        "SET_APART, name urgency retry_after, '', false",
        "SET_APART, name finished_at urgency retry_after, '', true",
        "EITHER,    name finished_at urgency retry_after, '', true",
        "EITHER,    name urgency retry_after, '', true"
    })
    void whereFinishedRowsAreKeptAnIndexServesIfTheyAreOutOfTheWay(
            KeptRows kept, String columns, String predicate, boolean serves) {
        var index = new TableIndex(List.of(columns.split(" ", -1)), predicate);
        var keeping = plain().finishedAt(JOBS.finishedAt);

        assertThat(claimIndex(keeping, kept).isServedBy(index.columns(), index::isPartialOn))
                .isEqualTo(serves);
    }

    @Test
    void aQueueInTheOrderOfItsKeyAloneNeedsNoneWhereTheKeyOrdersTheTable() {
        var bare = QueueTable.of(JOBS, JOBS.id, JOBS.payload);

        assertThat(claimIndex(bare, KeptRows.EITHER).isTheTable()).isTrue();
        assertThat(claimIndex(bare, KeptRows.LEFT_OUT).isTheTable()).isFalse();
    }

    @Test
    void itsStatementLeavesFinishedRowsOutOrSetsThemApart() {
        var keeping = plain().finishedAt(JOBS.finishedAt);

        assertThat(statement(keeping, KeptRows.LEFT_OUT, SQLDialect.POSTGRES))
                .isEqualTo("create index \"email_jobs_claim\" on \"email_jobs\""
                        + "(\"name\", \"urgency\", \"retry_after\", \"job_id\") where \"finished_at\" is null");
        assertThat(statement(keeping, KeptRows.SET_APART, SQLDialect.MYSQL))
                .isEqualTo("create index `email_jobs_claim` on `email_jobs`"
                        + "(`name`, `finished_at`, `urgency`, `retry_after`, `job_id`)");
    }

    private static String statement(QueueTable<?> table, KeptRows kept, SQLDialect dialect) {
        var dsl = DSL.using(dialect);
        return dsl.render(claimIndex(table, kept).statement(dsl));
    }

    private static QueueTable<String> plain() {
        return QueueTable.of(JOBS, JOBS.id, JOBS.payload)
                .queue(JOBS.queue)
                .priority(JOBS.priority)
                .dueAt(JOBS.dueAt);
    }

    private static ClaimIndex claimIndex(QueueTable<?> table, KeptRows kept) {
        return new ClaimIndex(table.table(), table::find, kept);
    }
}
