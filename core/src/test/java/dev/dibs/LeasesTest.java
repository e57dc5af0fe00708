package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** Claims whose rows are in a worker's hands. */
final class LeasesTest {

    private static final EmailJobs JOBS = new EmailJobs();
    private static final Duration HALF = Duration.ofMillis(20);

    private final QueueTable<String> table =
            QueueTable.of(JOBS, JOBS.id, JOBS.payload).leasedUntil(JOBS.leasedUntil);
    private final QueueRef queue = new QueueRef(table, "emails", TimeSource.database());
    private final InHand inHand = new InHand(RowColumns.of(table), HALF, WorkerBuilder.DEFAULT_MAX_HANDLING);
    private final ReservedConnection connection =
            new ReservedConnection(inHand, DSL.using(SQLDialect.DEFAULT), Duration.ofMinutes(1), Duration.ofMinutes(1));

    @Test
    void theTimeThatAClaimTakesBelongsToItsLease() {
        var row = DSL.using(SQLDialect.DEFAULT).newRecord(JOBS.id).values(1L);
        Claim slow = asked -> {
            var end = System.nanoTime() + HALF.toNanos();
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return Optional.of(new Claimed(List.of(row), new HeldByNothing()));
        };

        new Leases(slow, inHand, connection, new Health(queue)).claim(request());

        assertThat(inHand.untilDue(System.nanoTime())).isZero();
    }

    @Test
    void noClaimBeginsOnceTheWorkerHasEnded() {
        Claim forbidden = asked -> {
            throw new AssertionError("it has ended");
        };
        connection.takeNoMore();

        assertThat(new Leases(forbidden, inHand, connection, new Health(queue)).claim(request()))
                .isEmpty();
        assertThat(connection.isIdle()).isTrue();
    }

    private ClaimRequest request() {
        return ClaimRequest.of(DSL.using(SQLDialect.DEFAULT), queue, 1, HALF.multipliedBy(2));
    }
}
