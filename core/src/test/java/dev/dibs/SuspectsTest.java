package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.QueueTable;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;

/** Rows whose lease ran out, which may have killed their process. */
final class SuspectsTest {

    private static final EmailJobs JOBS = new EmailJobs();
    private static final Field<Integer> RAN_OUT = DSL.field(RowColumns.RAN_OUT, SQLDataType.INTEGER);

    private static final RowColumns<String> COLUMNS = RowColumns.of(
            QueueTable.of(JOBS, JOBS.id, JOBS.payload).attempt(JOBS.attempt).leasedUntil(JOBS.leasedUntil));

    private final Suspects suspects = new Suspects(COLUMNS);

    @Test
    void aClaimWhoseRowsWereNeverHeldBringsNone() {
        assertThat(suspects.areNotIn(claimed(fresh(1), fresh(5)))).isTrue();
        assertThat(suspects.areNotIn(claimed(fresh(1), ranOut(2)))).isFalse();
    }

    @Test
    void asManyAreHandledAsThereAreHandlersForAndNoneWaits() {
        assertThat(suspects.handledNow(claimed(ranOut(2), ranOut(2), fresh(1)), 2))
                .isEqualTo(2);
    }

    @Test
    void noMoreAreHandledThanWereClaimed() {
        assertThat(suspects.handledNow(claimed(ranOut(2)), 16)).isOne();
    }

    @Test
    void oneIsHandledWhereNoHandlerIsFree() {
        assertThat(suspects.handledNow(claimed(ranOut(2), ranOut(2)), 0)).isOne();
    }

    @Test
    void fromItsThirdDeliveryOnOneIsHandledAloneAndFirst() {
        var claimed = claimed(fresh(3), ranOut(2), ranOut(3));

        assertThat(suspects.handledNow(claimed, 16)).isOne();
        assertThat(suspects.sorted(claimed).get(0)).isEqualTo(ranOut(3));
    }

    private static Claimed claimed(Record... rows) {
        return new Claimed(Stream.of(rows).toList(), new HeldByNothing());
    }

    private static Record fresh(int attempt) {
        return row(attempt, 0);
    }

    private static Record ranOut(int attempt) {
        return row(attempt, 1);
    }

    // As claims return it.
    private static Record row(int attempt, int ranOut) {
        var row = DSL.using(SQLDialect.DEFAULT)
                .newRecord(Stream.concat(COLUMNS.afterClaim().stream(), Stream.of(RAN_OUT))
                        .toList());
        row.set(JOBS.id, 7L);
        row.set(JOBS.attempt, attempt);
        row.set(RAN_OUT, ranOut);
        return row;
    }
}
