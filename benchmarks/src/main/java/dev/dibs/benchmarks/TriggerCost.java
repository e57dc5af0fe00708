package dev.dibs.benchmarks;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.postgres.Notifications;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.wake.Announcement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;

/** What it costs those who insert that a table announces its inserts, on PostgreSQL. */
final class TriggerCost implements Scenario {

    private static final int CLIENTS = 32;
    private static final int SPARE_CONNECTIONS = 8;
    private static final int ROUNDS = 3;
    private static final String ID = "postgresql.trigger.%s.vs-none";

    @Override
    public String name() {
        return "announcing triggers";
    }

    @Override
    public List<String> ids(Database database) {
        return database == Database.POSTGRESQL
                ? Arrays.stream(Kind.values())
                        .filter(kind -> kind != Kind.NONE)
                        .map(Kind::id)
                        .toList()
                : List.of();
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws Exception {
        var seconds = Math.max(1, run.size().waiting().seconds() / 10);
        var kinds = Arrays.stream(Kind.values())
                .filter(kind -> kind == Kind.NONE || run.wants(kind.id()))
                .toList();
        var rates = new EnumMap<Kind, List<Double>>(Kind.class);
        for (int round = -1; round < ROUNDS; round++) {
            for (var kind : kinds) {
                run.step("trigger: " + kind.label);
                var rate = commitsPerSecond(kind, database, seconds);
                if (round >= 0) {
                    rates.computeIfAbsent(kind, first -> new ArrayList<>()).add(rate);
                }
            }
        }
        var none = median(rates.getOrDefault(Kind.NONE, List.of()));
        rates.forEach((kind, ofKind) -> {
            findings.point(new Point(Chart.TRIGGER, database, "commits/s", kind.label, median(ofKind)));
            if (kind != Kind.NONE) {
                findings.figure(kind.id(), median(ofKind) / none);
            }
        });
    }

    private static double median(List<Double> rates) {
        return rates.stream().sorted().skip(ROUNDS / 2).findFirst().orElse(Double.NaN);
    }

    // The sleeper waits for another queue of the table, so that it is asleep all the time.
    @SuppressWarnings("try") // they work until they are closed
    private static double commitsPerSecond(Kind kind, Database database, int seconds) throws Exception {
        var address = database.create();
        try (var pool = address.pool(CLIENTS + SPARE_CONNECTIONS)) {
            QueueSchema.migrate(pool);
            if (kind.announcement != Announcement.OFF) {
                QueueSchema.announce(pool, DIBS_MESSAGE, kind.announcement);
            }
            if (kind != Kind.ON_DEMAND_ASLEEP) {
                return commitsPerSecond(pool, seconds);
            }
            var dsl = DSL.using(pool, address.dialect());
            try (var listening = Notifications.open(dsl);
                    var sleeper = Queue.of(dsl, ManagedQueue.ofText(), "another")
                            .worker()
                            .consume(payload -> {})) {
                TimeUnit.SECONDS.sleep(1);
                return commitsPerSecond(pool, seconds);
            }
        }
    }

    private static double commitsPerSecond(HikariDataSource pool, int seconds) throws Exception {
        var clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            var loops = new ArrayList<Callable<Integer>>();
            for (int client = 0; client < CLIENTS; client++) {
                loops.add(() -> commits(pool, end));
            }
            var commits = 0.0;
            for (var loop : clients.invokeAll(loops)) {
                commits += loop.get();
            }
            return commits / seconds;
        } finally {
            clients.shutdown();
        }
    }

    private static int commits(HikariDataSource pool, long end) throws SQLException {
        var commits = 0;
        try (var connection = pool.getConnection();
                var insert = connection.prepareStatement(EnqueueBenchmark.INSERT)) {
            while (System.nanoTime() - end < 0) {
                insert.setString(1, Backlog.QUEUE);
                insert.setString(2, "a message");
                insert.setLong(3, 0);
                insert.executeUpdate();
                commits++;
            }
        }
        return commits;
    }

    private enum Kind {
        NONE("none", Announcement.OFF),
        ON_DEMAND_BUSY("on demand, nobody asleep", Announcement.ON_DEMAND),
        ON_DEMAND_ASLEEP("on demand, somebody asleep", Announcement.ON_DEMAND),
        ALWAYS("always", Announcement.ALWAYS);

        private final String label;
        private final Announcement announcement;

        Kind(String label, Announcement announcement) {
            this.label = label;
            this.announcement = announcement;
        }

        String id() {
            return ID.formatted(name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
    }
}
