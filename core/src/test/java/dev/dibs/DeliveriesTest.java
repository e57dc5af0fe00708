package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.Read;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** Which rows reach a handler. */
final class DeliveriesTest implements Settler {

    private static final EmailJobs JOBS = new EmailJobs();

    private final QueueTable<String> table =
            QueueTable.of(JOBS, JOBS.id, JOBS.payload).attempt(JOBS.attempt).leasedUntil(JOBS.leasedUntil);
    private final QueueRef queue = new QueueRef(table, "emails", TimeSource.database());
    private final RowColumns<String> columns = RowColumns.of(table);
    private final List<String> handled = new ArrayList<>();
    private final List<String> settled = new ArrayList<>();

    @Test
    void rowsThatWereLostWhileTheyWaitedAreGivenBackAndNotHandled() {
        var claimed = claimed("held", "lost", "held too");

        assertThat(deliveries().deliver(claimed)).isTrue();

        assertThat(handled).containsExactly("held", "held too");
        assertThat(settled).containsExactly("lost: GiveBack", "held: Leave", "held too: Leave");
    }

    @Test
    void whereAllRowsWereLostNoHandlerRuns() {
        deliveries().deliver(claimed("lost"));

        assertThat(handled).isEmpty();
        assertThat(settled).containsExactly("lost: GiveBack");
    }

    @Override
    public boolean settle(Claimed claimed, List<Ending> endings) {
        endings.forEach(ending -> settled.add(columns.payload(ending.row()).value() + ": "
                + ending.fate().getClass().getSimpleName()));
        return true;
    }

    @Override
    public void letGo(Claimed claimed) {
        throw new AssertionError("nothing is let go of unsettled");
    }

    private Deliveries deliveries() {
        var dsl = DSL.using(SQLDialect.DEFAULT);
        var judgement = new Judgement(queue, RetryPolicy.ofDefaults());
        var settlement = new Settlement(
                queue,
                columns,
                judgement,
                new EventSink(new QueueEvents() {}),
                new Settlement.Wakes(delay -> {}, () -> {}));
        var code = UserCode.<String>consumingAll(3, handled::addAll);
        var handling = new Handling<>(dsl, code, new BatchReader<>(queue, columns, judgement), settlement, this);
        return new Deliveries(queue, handling, settlement, this);
    }

    private Claimed claimed(String... payloads) {
        var rows = Stream.of(payloads).map(this::row).toList();
        return new Claimed(
                rows,
                new HeldByNothing(row -> "lost".equals(columns.payload(row).value()), () -> true));
    }

    private Record row(String payload) {
        var row = DSL.using(SQLDialect.DEFAULT).newRecord(columns.afterClaim());
        row.set(JOBS.id, (long) payload.length());
        row.set(JOBS.attempt, 1);
        row.set(DSL.field(JOBS.payload.getQualifiedName(), Object.class), new Read<>(payload, null));
        return row;
    }
}
