package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.QueueTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** When leases are extended. */
final class LeaseKeeperTest {

    private static final EmailJobs JOBS = new EmailJobs();
    private static final Duration HALF = Duration.ofMinutes(1);
    private static final long A_QUARTER = HALF.toNanos() / 4;

    private final InHand inHand = new InHand(
            RowColumns.of(QueueTable.of(JOBS, JOBS.id, JOBS.payload).leasedUntil(JOBS.leasedUntil)),
            HALF,
            WorkerBuilder.DEFAULT_MAX_HANDLING);
    private final LeaseKeeper keeper = new LeaseKeeper(inHand, DSL.using(SQLDialect.DEFAULT));
    private final List<Object> extended = new ArrayList<>();
    private final AtomicBoolean isAway = new AtomicBoolean();
    private final long now = System.nanoTime() - HALF.toNanos();

    @Test
    void aLeaseIsExtendedHalfWayAndAgainAHalfLater() {
        take(1, true);
        assertThat(keeper.untilDue(now)).isEqualTo(HALF.toNanos());

        keeper.keep(now + HALF.toNanos());

        assertThat(extended).hasSize(1);
        assertThat(keeper.untilDue(now + HALF.toNanos())).isEqualTo(HALF.toNanos());
    }

    @Test
    void howeverLongTheDatabaseIsAwayThereAreSeveralTriesInEachLease() {
        take(1, true);
        isAway.set(true);

        for (int failure = 0; failure < 50; failure++) {
            assertThatThrownBy(() -> keeper.keep(now + HALF.toNanos())).hasMessage("away");
        }

        assertThat(keeper.untilDue(System.nanoTime())).isBetween(1L, A_QUARTER);
    }

    @Test
    void afterOneFailureAllThatAreDueAreTriedAgain() {
        take(1, true);
        take(2, true);
        isAway.set(true);
        assertThatThrownBy(() -> keeper.keep(now + HALF.toNanos())).hasMessage("away");
        isAway.set(false);

        keeper.keep(now + HALF.toNanos());

        assertThat(extended).hasSize(2);
    }

    @Test
    void aLeaseOfARowThatSomebodyHadLockedIsExtendedAgainSoon() {
        take(1, false);

        keeper.keep(now + HALF.toNanos());

        assertThat(keeper.untilDue(now + HALF.toNanos())).isEqualTo(A_QUARTER);
    }

    private void take(long id, boolean all) {
        var row = DSL.using(SQLDialect.DEFAULT).newRecord(JOBS.id).values(id);
        inHand.take(new Claimed(List.of(row), new HeldByNothing(lost -> false, () -> extend(id, all))), now);
    }

    private boolean extend(long id, boolean all) {
        if (isAway.get()) {
            throw new DataAccessException("away");
        }
        extended.add(id);
        return all;
    }
}
