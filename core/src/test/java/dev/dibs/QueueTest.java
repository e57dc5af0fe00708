package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeFields;
import dev.dibs.time.TimeSource;
import dev.dibs.wake.WakeRegistry;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

final class QueueTest {

    private static final EmailJobs JOBS = new EmailJobs();

    private final DSLContext dsl = DSL.using(SQLDialect.DEFAULT);
    private final QueueTable<String> table = QueueTable.of(JOBS, JOBS.id, JOBS.payload);

    @Test
    void aTransactionThatBeginsBeforeTheFirstWakeSharesTheRegistryOfItsQueue() {
        queue(table);

        var transaction = dsl.configuration().derive();

        assertThat(WakeRegistry.of(transaction)).isSameAs(WakeRegistry.of(dsl.configuration()));
    }

    @Test
    void aColumnThatHoldsNoTimesIsRefusedWhenTheQueueIsMade() {
        assertThatThrownBy(() -> queue(table.dueAt(JOBS.error))).hasMessageContainingAll("error", "String");
    }

    @Test
    void anExpiryOfSecondsIsNoProofOfWhoHoldsARow() {
        var coarse = table.leasedUntil(TimeFields.seconds(JOBS.leasedUntil));

        assertThatThrownBy(() -> queue(coarse))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "queue \"emails\" in table \"email_jobs\": the expiry in \"email_jobs\".\"locked_until\", a number of"
                                + " seconds, is too coarse to prove who holds a row, for two claims may write the same one;"
                                + " map leaseToken(..), or make the column one of microseconds");
        assertThat(queue(coarse.leaseToken(JOBS.leaseToken))).isNotNull();
    }

    @Test
    void deadLettersWhoseTimesAreOfAnotherUnitAreRefused() {
        var dead = new EmailJobs("dead");
        var graves = QueueTable.of(dead, dead.id, dead.payload).dueAt(TimeFields.seconds(dead.dueAt));

        assertThatThrownBy(() -> queue(table.dueAt(JOBS.dueAt).deadLetters(graves)))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("dueAt is copied to the dead letters in table \"dead\" as it is")
                .hasMessageContaining(
                        "a number of microseconds here and a number of seconds there; give both columns one type");
    }

    @Test
    void aColumnThatHoldsNoHeadersIsRefusedWhenTheQueueIsMade() {
        assertThatThrownBy(() -> queue(table.headers(JOBS.dueAt)))
                .hasMessageContainingAll("retry_after", "Long", "jsonb");
    }

    private Queue<String> queue(QueueTable<String> mapping) {
        return new Queue<>(dsl, mapping, "emails", TimeSource.database(), new NoDatabase());
    }
}
