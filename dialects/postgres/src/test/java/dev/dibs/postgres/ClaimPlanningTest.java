package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueTable;
import java.util.List;
import org.jooq.Record;
import org.junit.jupiter.api.Test;

/** A session plans its claims a few times, and then executes them by one plan, however few rows they ask for. */
final class ClaimPlanningTest {

    private static final int CLAIMS = 40;
    private static final int FEW = 2;

    /** How often PostgreSQL plans a statement for its parameters before it tries the general plan. */
    private static final int PLANNED = 5;

    private static final QueueTable<String> ROW_LOCKS = QueueTable.of(Jobs.TABLE, Jobs.ID, Jobs.BODY)
            .priority(Jobs.PRIORITY)
            .dueAt(Jobs.DUE)
            .attempt(Jobs.TRIES);

    @Test
    void leasesAreClaimedByOnePlan() {
        claimedByOnePlan(Jobs.queue());
    }

    @Test
    void rowLocksAreClaimedByOnePlan() {
        claimedByOnePlan(Jobs.queue(ROW_LOCKS));
    }

    private static void claimedByOnePlan(QueueRef queue) {
        try (var jobs = Jobs.create(1)) {
            jobs.dsl().execute("insert into jobs (body) select 'job' from generate_series(1, 20000)");
            jobs.dsl().execute("analyze jobs");
            var claim = new PostgresDialect().claim(queue);
            var request = jobs.request(queue, FEW);
            for (int claims = 0; claims < CLAIMS; claims++) {
                claim.claim(request)
                        .orElseThrow()
                        .split(1)
                        .forEach(row -> row.hold().close());
            }

            assertThat(plans(jobs)).isNotEmpty().allSatisfy(plans -> {
                assertThat(plans.get("custom_plans", Integer.class)).isLessThanOrEqualTo(PLANNED);
                assertThat(plans.get("generic_plans", Integer.class)).isGreaterThan(CLAIMS / 2);
            });
        }
    }

    private static List<Record> plans(Jobs jobs) {
        return jobs.dsl()
                .fetch("select custom_plans, generic_plans from pg_prepared_statements"
                        + " where statement like '%skip locked%' and statement like '%fetch next%'");
    }
}
