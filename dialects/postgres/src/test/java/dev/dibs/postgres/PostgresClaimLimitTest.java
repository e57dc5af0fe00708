package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** C16: a plan that runs a claim's inner select once for each outer row leases far more rows than asked. */
final class PostgresClaimLimitTest {

    private static final int LIMIT = 5;
    private static final int CLAIMS = 20;

    private static final Table<?> JOBS = DSL.table(name("jobs"));
    private static final Field<Integer> PRIORITY = field(name("jobs", "priority"), SQLDataType.INTEGER);
    private static final Field<Long> HELD_UNTIL = field(name("jobs", "held_until"), SQLDataType.BIGINT);
    private static final QueueTable<String> PLAIN = QueueTable.of(
                    JOBS, field(name("jobs", "id"), SQLDataType.BIGINT), field(name("jobs", "body"), SQLDataType.CLOB))
            .leasedUntil(HELD_UNTIL);

    private HikariDataSource pool;
    private DSLContext dsl;

    @AfterEach
    void closePool() {
        pool.close();
    }

    @ParameterizedTest
    @CsvSource({
        "NESTED_LOOPS, 50000, true",
        "NESTED_LOOPS, 50000, false",
        "RUNNING_AGAIN, 5000, true",
        "RUNNING_AGAIN, 5000, false"
    })
    void c16AClaimLeasesNoMoreRowsThanItsLimit(Plans plans, int rows, boolean withPriority) {
        fill(plans, rows);

        IntStream.rangeClosed(1, CLAIMS).forEach(claim -> {
            assertThat(claim(withPriority)).hasSize(LIMIT);
            assertThat(leased()).isEqualTo(claim * LIMIT);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "NESTED_LOOPS, 50000, true",
        "NESTED_LOOPS, 50000, false",
        "RUNNING_AGAIN, 5000, true",
        "RUNNING_AGAIN, 5000, false"
    })
    void c16EightClaimersAtOnceLeaseNoMoreRowsThanTheirLimits(Plans plans, int rows, boolean withPriority)
            throws Exception {
        fill(plans, rows);
        var threads = Executors.newFixedThreadPool(8);
        Callable<List<Integer>> claimer = () -> IntStream.range(0, CLAIMS)
                .mapToObj(claim -> claim(withPriority).size())
                .toList();
        var sizes = new ArrayList<Integer>();
        for (var claims : threads.invokeAll(Collections.nCopies(8, claimer))) {
            sizes.addAll(claims.get());
        }
        threads.shutdown();

        assertThat(sizes).hasSize(8 * CLAIMS).allMatch(size -> size <= LIMIT);
        assertThat(leased()).isEqualTo(sizes.stream().mapToInt(size -> size).sum());
    }

    @Test
    void c16ASubQueryInTheConditionWouldLeaseMoreUnderSuchAPlan() {
        fill(Plans.RUNNING_AGAIN, 500);

        dsl.execute("update jobs set held_until = 1 where id in (select id from jobs where held_until is null"
                + " order by id limit 5 for update skip locked)");

        assertThat(leased()).isGreaterThan(LIMIT);
    }

    // Statistics of an empty table.
    private void fill(Plans plans, int rows) {
        var address = TestDatabase.postgresql().newDatabase();
        var settings = new HikariConfig();
        settings.setJdbcUrl(address.url() + (address.url().contains("?") ? "&" : "?") + plans.options);
        settings.setUsername(address.user());
        settings.setPassword(address.password());
        pool = new HikariDataSource(settings);
        dsl = DSL.using(pool, SQLDialect.POSTGRES);
        dsl.execute("create table jobs (id bigint generated always as identity primary key, body text not null,"
                + " priority int not null, held_until bigint) with (autovacuum_enabled = false)");
        dsl.execute("create index jobs_claim on jobs (priority, id)");
        dsl.execute("analyze jobs");
        dsl.execute(
                "insert into jobs (body, priority) select 'job', number % 3 from generate_series(1, ?) number", rows);
    }

    private List<Claimed> claim(boolean withPriority) {
        var table = withPriority ? PLAIN.priority(PRIORITY) : PLAIN;
        var queue = new QueueRef(table, "jobs", TimeSource.database());
        return new PostgresDialect()
                .claim(queue)
                .claim(ClaimRequest.of(dsl, queue, LIMIT, Duration.ofMinutes(10)))
                .map(found -> found.split(1))
                .orElseGet(List::of);
    }

    private int leased() {
        return dsl.fetchCount(JOBS, HELD_UNTIL.isNotNull());
    }

    /** Which plans the sessions' settings leave. */
    private enum Plans {
        NESTED_LOOPS("hashjoin", "mergejoin"),
        RUNNING_AGAIN("hashjoin", "mergejoin", "material", "memoize", "indexscan", "bitmapscan", "hashagg", "sort");

        private final String options;

        Plans(String... disabled) {
            this.options = "options="
                    + Stream.of(disabled)
                            .map(node -> "-c%20enable_" + node + "=off")
                            .collect(Collectors.joining("%20"));
        }
    }
}
