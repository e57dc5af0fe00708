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
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** What it costs those who write that a table announces its inserts, or that {@code Notifications} tell of them, on PostgreSQL. */
final class TriggerCost implements Scenario {

    /** Of the figures. */
    private static final int MANY = 32;

    private static final List<Integer> CLIENTS = List.of(1, 8, MANY);
    private static final int SPARE_CONNECTIONS = 8;
    private static final int ROUNDS = 3;
    private static final String CLIENTS_ID = "postgresql.trigger.clients";
    private static final String ID = "postgresql.trigger.%s.vs-none";

    @Override
    public String name() {
        return "announcing triggers";
    }

    @Override
    public List<String> ids(Database database) {
        return database == Database.POSTGRESQL
                ? Stream.concat(Kind.TRIGGERS.stream().map(Kind::id), Stream.of(CLIENTS_ID))
                        .toList()
                : List.of();
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws Exception {
        var seconds = Math.max(1, run.size().waiting().seconds() / 10);
        var hasAll = run.wantsInFull(CLIENTS_ID);
        var kinds = Arrays.stream(Kind.values())
                .filter(kind -> kind == Kind.NONE || hasAll || (kind.isTrigger() && run.wants(kind.id())))
                .toList();
        for (var clients : hasAll ? CLIENTS : List.of(MANY)) {
            var rates = new EnumMap<Kind, List<Double>>(Kind.class);
            for (int round = -1; round < ROUNDS; round++) {
                for (var kind : kinds) {
                    run.step("%d clients: %s".formatted(clients, kind.label));
                    var rate = commitsPerSecond(kind, database, clients, seconds);
                    if (round >= 0) {
                        rates.computeIfAbsent(kind, first -> new ArrayList<>()).add(rate);
                    }
                }
            }
            rates.forEach((kind, ofKind) -> findings.point(
                    new Point(Chart.TRIGGER, database, kind.label, Integer.toString(clients), median(ofKind))));
            if (clients == MANY) {
                var none = median(rates.getOrDefault(Kind.NONE, List.of()));
                kinds.stream()
                        .filter(Kind::isTrigger)
                        .forEach(kind ->
                                findings.figure(kind.id(), median(rates.getOrDefault(kind, List.of())) / none));
            }
        }
    }

    private static double median(List<Double> rates) {
        return rates.stream().sorted().skip(ROUNDS / 2).findFirst().orElse(Double.NaN);
    }

    private static double commitsPerSecond(Kind kind, Database database, int clients, int seconds) throws Exception {
        var address = database.create();
        try (var pool = address.pool(clients + SPARE_CONNECTIONS)) {
            QueueSchema.migrate(pool);
            if (kind.announcement != Announcement.OFF) {
                QueueSchema.announce(pool, DIBS_MESSAGE, kind.announcement);
            }
            var dsl = DSL.using(pool, address.dialect());
            return switch (kind) {
                case ON_DEMAND_ASLEEP ->
                    whileAnotherSleeps(dsl, () -> commitsPerSecond(inserts(pool), clients, seconds));
                case ENQUEUE -> commitsPerSecond(enqueues(dsl), clients, seconds);
                case ENQUEUE_NOTIFYING -> notifying(dsl, () -> commitsPerSecond(enqueues(dsl), clients, seconds));
                default -> commitsPerSecond(inserts(pool), clients, seconds);
            };
        }
    }

    // It waits for another queue of the table, so that it is asleep all the time.
    @SuppressWarnings("try") // it works until it is closed
    private static double whileAnotherSleeps(DSLContext dsl, Callable<Double> measured) throws Exception {
        return notifying(dsl, () -> {
            try (var sleeper =
                    Queue.of(dsl, ManagedQueue.ofText(), "another").worker().consume(payload -> {})) {
                TimeUnit.SECONDS.sleep(1);
                return measured.call();
            }
        });
    }

    @SuppressWarnings("try") // they work until they are closed
    private static double notifying(DSLContext dsl, Callable<Double> measured) throws Exception {
        try (var notifications = Notifications.open(dsl)) {
            return measured.call();
        }
    }

    private static double commitsPerSecond(Client client, int clients, int seconds) throws Exception {
        var threads = Executors.newFixedThreadPool(clients);
        try {
            var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            Callable<Integer> loops = () -> client.commitsUntil(end);
            var commits = 0.0;
            for (var loop : threads.invokeAll(Collections.nCopies(clients, loops))) {
                commits += loop.get();
            }
            return commits / seconds;
        } finally {
            threads.shutdown();
        }
    }

    private static Client inserts(HikariDataSource pool) {
        return end -> {
            var commits = 0;
            try (var connection = pool.getConnection();
                    var insert = connection.prepareStatement(EnqueueBenchmark.INSERT)) {
                for (; System.nanoTime() - end < 0; commits++) {
                    insert.setString(1, Backlog.QUEUE);
                    insert.setString(2, "a message");
                    insert.setLong(3, 0);
                    insert.executeUpdate();
                }
            }
            return commits;
        };
    }

    private static Client enqueues(DSLContext dsl) {
        var queue = Queue.of(dsl, ManagedQueue.ofText(), Backlog.QUEUE);
        return end -> {
            var commits = 0;
            for (; System.nanoTime() - end < 0; commits++) {
                queue.enqueue("a message");
            }
            return commits;
        };
    }

    /** Commits one message after the other, and tells how many. */
    @FunctionalInterface
    private interface Client {
        int commitsUntil(long end) throws SQLException;
    }

    private enum Kind {
        NONE("none", Announcement.OFF),
        ON_DEMAND_BUSY("on demand, nobody asleep", Announcement.ON_DEMAND),
        ON_DEMAND_ASLEEP("on demand, somebody asleep", Announcement.ON_DEMAND),
        ALWAYS("always", Announcement.ALWAYS),
        ENQUEUE("enqueue", Announcement.OFF),
        ENQUEUE_NOTIFYING("enqueue, with Notifications", Announcement.OFF);

        private static final List<Kind> TRIGGERS = List.of(ON_DEMAND_BUSY, ON_DEMAND_ASLEEP, ALWAYS);

        private final String label;
        private final Announcement announcement;

        Kind(String label, Announcement announcement) {
            this.label = label;
            this.announcement = announcement;
        }

        boolean isTrigger() {
            return TRIGGERS.contains(this);
        }

        String id() {
            return ID.formatted(name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
    }
}
