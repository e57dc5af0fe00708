package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Message;
import dev.dibs.Queue;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims read their rows from the claim index in order, on every database. */
public abstract class ClaimPlanContract {

    private static final int PRIORITIES = 3;
    static final int LIMIT = 10;

    private final TestDatabase database;
    private final Set<LockForm> forms;
    final JobTable jobs = new JobTable("jobs");
    private HikariDataSource pool;

    /** The contract of a database's forms. */
    protected ClaimPlanContract(TestDatabase database, LockForm... forms) {
        this.database = database;
        this.forms = Set.of(forms);
    }

    @BeforeEach
    void createTable() {
        pool = database.newDatabase().pool(2);
        jobs.create(dsl());
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void aClaimFromTenThousandRowsReadsTheClaimIndexAndSortsNothing() {
        fill("mail", 5_000, PRIORITIES);
        fill("parcels", 5_000, PRIORITIES);

        for (var form : forms) {
            var claim = ClaimStatements.of(dsl(), queue(form), LIMIT);

            assertThat(claim.queries())
                    .isNotEmpty()
                    .allSatisfy(statement -> assertThat(plan(statement))
                            .as(statement.getSQL())
                            .doesNotContain("sort", "temp b-tree", "seq scan", "scan jobs"));
            assertThat(claim.queries().stream().filter(this::isOrdered).map(this::plan))
                    .isNotEmpty()
                    .allSatisfy(plan -> assertThat(plan).contains("jobs_claim"));
        }
    }

    @Test
    void aClaimOfAQueueThatCanBePausedReadsTheClaimIndexToo() {
        var pausable = pausable(new SwitchTable("switches").create(dsl()));
        fill("mail", 5_000, PRIORITIES);

        for (var form : forms) {
            var ordered = ClaimStatements.of(dsl(), pausable.apply(form), LIMIT).queries().stream()
                    .filter(this::isOrdered)
                    .toList();

            assertThat(ordered).isNotEmpty().allSatisfy(statement -> {
                assertThat(plan(statement))
                        .as(statement.getSQL())
                        .contains("jobs_claim", asksOnce())
                        .doesNotContain(
                                "sort", "temp b-tree", "seq scan on jobs", "scan jobs", "dependent", "correlated");
            });
        }
    }

    @Test
    void aClaimOfAPausedQueueTakesNothing() {
        var switches = new SwitchTable("switches").create(dsl());
        var pausable = pausable(switches);
        fill("mail", 1_000, 1);
        Queue.of(dsl(), mapped(LockForm.LEASE, switches), "mail").pause();

        for (var form : forms) {
            assertThat(ClaimStatements.claim(dsl(), pausable.apply(form), LIMIT))
                    .isEmpty();
        }
    }

    private Function<LockForm, QueueRef> pausable(SwitchTable switches) {
        return form -> new QueueRef(mapped(form, switches), "mail", TimeSource.database());
    }

    private QueueTable<String> mapped(LockForm form, SwitchTable switches) {
        return jobs.mapped(form, new JobTable("dead")).pausedIn(switches.pauses());
    }

    // MySQL and MariaDB ask while they plan.
    private String asksOnce() {
        return switch (database.dialect()) {
            case POSTGRES -> "one-time filter";
            case SQLITE -> "scalar subquery";
            default -> "";
        };
    }

    void fill(String topic, int rows, int priorities) {
        Queue.of(dsl(), jobs.mapped(LockForm.LEASE, new JobTable("dead")), topic)
                .enqueueMessages(IntStream.range(0, rows)
                        .mapToObj(number -> Message.of("job " + number)
                                .priority(number % priorities)
                                .delayed(Duration.ofHours(number % 10 == 0 ? 1 : 0)))
                        .toList());
        dsl().execute(
                        switch (database.dialect()) {
                            case MYSQL, MARIADB -> "analyze table jobs";
                            default -> "analyze jobs";
                        });
    }

    private String plan(Query statement) {
        var explain = switch (database.dialect()) {
            case POSTGRES -> "explain (costs off) ";
            case SQLITE -> "explain query plan ";
            default -> "explain ";
        };
        return dsl().fetch(explain + dsl().renderInlined(statement)).format().toLowerCase(Locale.ROOT);
    }

    private boolean isOrdered(Query statement) {
        return statement.getSQL().contains("order by");
    }

    QueueRef queue(LockForm form) {
        return new QueueRef(jobs.mapped(form, new JobTable("dead")), "mail", TimeSource.database());
    }

    DSLContext dsl() {
        return DSL.using(pool, database.dialect());
    }
}
