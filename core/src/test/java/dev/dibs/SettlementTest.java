package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** Settling where no database is reached. */
final class SettlementTest {

    private static final EmailJobs JOBS = new EmailJobs();

    private final QueueTable<String> table =
            QueueTable.of(JOBS, JOBS.id, JOBS.payload).attempt(JOBS.attempt).leasedUntil(JOBS.leasedUntil);
    private final QueueRef queue = new QueueRef(table, "emails", TimeSource.database());
    private final RowColumns<String> columns = RowColumns.of(table);
    private final List<String> failures = new ArrayList<>();

    @Test
    void aRetryPolicyThatThrowsDoesNotKeepTheMessageFromBeingSettled() {
        var policy = new RetryPolicy(3, failures -> {
            throw new IllegalStateException("no delay for you");
        });

        var claimed = row(1);
        var settlement = settlement(policy);
        var endings = settlement.endings(claimed, List.of(Outcome.retry("no mail")), Duration.ZERO);
        new HeldSettler(DSL.using(SQLDialect.DEFAULT), queue, settlement).settle(claimed, endings);

        assertThat(failures)
                .as("only the database is missing here")
                .singleElement()
                .asString()
                .contains("DSLContext gives no connections");
    }

    @Test
    void anAttemptThatIsNullIsTheFirst() {
        assertThat(columns.attempt(row(null).rows().get(0))).isOne();
    }

    private Settlement settlement(RetryPolicy policy) {
        var sink = new EventSink(new QueueEvents() {
            @Override
            public void settlementFailed(String name, Object id, Throwable failure) {
                failures.add(failure.getMessage());
            }
        });
        return new Settlement(
                queue, columns, new Judgement(queue, policy), sink, new Settlement.Wakes(delay -> {}, () -> {}));
    }

    private static Claimed row(Integer attempt) {
        var row = DSL.using(SQLDialect.DEFAULT).newRecord(JOBS.id, JOBS.attempt).values(7L, attempt);
        return new Claimed(List.of(row), new HeldByNothing());
    }
}
