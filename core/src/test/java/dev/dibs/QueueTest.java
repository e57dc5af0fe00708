package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.table.QueueTable;
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
    void aColumnThatHoldsNoHeadersIsRefusedWhenTheQueueIsMade() {
        assertThatThrownBy(() -> queue(table.headers(JOBS.dueAt)))
                .hasMessageContainingAll("retry_after", "Long", "jsonb");
    }

    private Queue<String> queue(QueueTable<String> mapping) {
        return new Queue<>(dsl, mapping, "emails", TimeSource.database(), new NoDatabase());
    }
}
