package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Dialect;
import dev.dibs.spi.QueueRef;
import dev.dibs.time.TimeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** How long a claim takes, against what lies in the table. */
final class ClaimCost implements Scenario {

    private static final int WARM_UP = 200;
    private static final int ROWS = 5;
    private static final int FEW = 1_000;
    private static final int PART = 100_000;
    private static final int MILLION = 1_000_000;
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String name() {
        return "cost of claims";
    }

    @Override
    public List<String> ids(Database database) {
        return List.of(
                database + ".claim.backlog-10m.vs-1k", database + ".claim.not-due-1m.vs-0", database + ".claim.leased");
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws SQLException {
        if (run.isShort()) {
            return;
        }
        var size = run.size().growth();
        run.step("%s: warm-up of the claims".formatted(database));
        var unused = claims(
                database,
                size,
                Chart.BACKLOG,
                new Findings(run.only(), id -> ""),
                FEW,
                table -> table.fill(FEW, 0, "null"));
        if (run.wants(ids(database).get(0))) {
            backlogs(run, database, findings, size);
        }
        if (run.wants(ids(database).get(1))) {
            notDue(run, database, findings, size);
        }
        if (run.wantsInFull(ids(database).get(2))) {
            inFront(run, database, findings, size);
        }
    }

    private void backlogs(Run run, Database database, Findings findings, Size.Growth size) throws SQLException {
        var least = Double.NaN;
        for (int rows : size.backlogs()) {
            run.step("%s: claims from %,d ready rows".formatted(database, rows));
            var median = claims(database, size, Chart.BACKLOG, findings, rows, table -> table.fill(rows, 0, "null"));
            least = rows == FEW ? median : least;
            if (rows == 10 * MILLION) {
                findings.figure(ids(database).get(0), median / least);
            }
        }
    }

    private void notDue(Run run, Database database, Findings findings, Size.Growth size) throws SQLException {
        var without = Double.NaN;
        for (int rows : List.of(0, size.inFront())) {
            run.step("%s: claims behind %,d rows that are not due".formatted(database, rows));
            var median = claims(database, size, Chart.NOT_DUE, findings, rows, table -> {
                table.fill(rows, TimeUnit.DAYS.toMicros(1), "null");
                table.add(ROWS, 1);
            });
            without = rows == 0 ? median : without;
            if (rows == MILLION) {
                findings.figure(ids(database).get(1), median / without);
            }
        }
    }

    private static void inFront(Run run, Database database, Findings findings, Size.Growth size) throws SQLException {
        for (int rows : List.of(0, FEW, size.inFront())) {
            run.step("%s: claims behind %,d leased rows".formatted(database, rows));
            claims(database, size, Chart.LEASED, findings, rows, table -> {
                table.fill(rows, 0, Long.toString(Table.now() + TimeUnit.DAYS.toMicros(1)));
                table.add(FEW, 0);
            });
        }
    }

    private static double claims(
            Database database, Size.Growth size, Chart chart, Findings findings, int place, Filling filling)
            throws SQLException {
        var address = database.create();
        try (var pool = address.pool(4)) {
            QueueSchema.migrate(pool);
            var table = new Table(pool, database);
            filling.fill(table);
            table.analyze();
            var nanos = table.claimNanos(DSL.using(pool, address.dialect()), size.claims());
            for (var percentile : List.of(50.0, 99.0)) {
                findings.point(new Point(
                        chart,
                        database,
                        "p" + Math.round(percentile),
                        "%,d".formatted(place),
                        nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI));
            }
            return nanos.getValueAtPercentile(50);
        }
    }

    @FunctionalInterface
    private interface Filling {
        void fill(Table table) throws SQLException;
    }

    /** The table of messages, filled by plain SQL. */
    private record Table(HikariDataSource pool, Database database) {

        /** Adds rows of priority 0, due so many microseconds from now. */
        void fill(int rows, long dueIn, String leasedUntil) throws SQLException {
            for (int done = 0; done < rows; done += PART) {
                add(Math.min(PART, rows - done), 0, now() + dueIn, leasedUntil);
            }
        }

        /** Adds rows that are due. */
        void add(int rows, int priority) throws SQLException {
            add(rows, priority, now(), "null");
        }

        private void add(int rows, int priority, long dueAt, String leasedUntil) throws SQLException {
            Sql.execute(pool, recursion(), """
                    insert into dibs_message (queue, payload, priority, due_at, leased_until)
                    with recursive number (n) as (select 1 union all select n + 1 from number where n < %d)
                    select '%s', 'a message', %d, %d, %s from number""".formatted(rows, Backlog.QUEUE, priority, dueAt, leasedUntil));
        }

        private String recursion() {
            return switch (database) {
                case MYSQL -> "set session cte_max_recursion_depth = " + PART;
                case MARIADB -> "set session max_recursive_iterations = " + PART;
                case POSTGRESQL, SQLITE -> "select 1";
            };
        }

        void analyze() throws SQLException {
            Sql.execute(
                    pool,
                    switch (database) {
                        case POSTGRESQL -> "vacuum (analyze) dibs_message";
                        case SQLITE -> "analyze";
                        case MYSQL, MARIADB -> "analyze table dibs_message";
                    });
        }

        /** Of claims one after the other, each with its commit; what was claimed is deleted and replaced by new rows. */
        Histogram claimNanos(DSLContext dsl, int claims) throws SQLException {
            var queue = new QueueRef(ManagedQueue.ofText(), Backlog.QUEUE, TimeSource.database());
            var claim = Dialect.of(dsl, "the benchmark").claim(queue);
            var nanos = new Histogram(3);
            for (int number = -WARM_UP; number < claims; number++) {
                var took = claimNanos(claim, ClaimRequest.of(dsl, queue, ROWS, LEASE));
                if (number >= 0) {
                    nanos.recordValue(took);
                }
            }
            return nanos;
        }

        private long claimNanos(Claim claim, ClaimRequest request) throws SQLException {
            var start = System.nanoTime();
            var claimed =
                    claim.claim(request).orElseThrow(() -> new IllegalStateException("there was nothing to claim"));
            var took = System.nanoTime() - start;
            var table = request.queue().table();
            request.dsl()
                    .deleteFrom(table.table())
                    .where(table.id()
                            .in(claimed.rows().stream()
                                    .map(row -> row.get(table.id()))
                                    .toList()))
                    .execute();
            var priority = claimed.rows().get(0).get("priority", int.class);
            add(claimed.rows().size(), priority);
            return took;
        }

        static long now() {
            return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        }
    }
}
