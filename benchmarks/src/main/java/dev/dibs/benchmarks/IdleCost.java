package dev.dibs.benchmarks;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;

import dev.dibs.Queue;
import dev.dibs.postgres.Notifications;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.wake.Announcement;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;

/** What workers say to the database while there is nothing to do, all settings at the same time. */
final class IdleCost implements Scenario {

    private static final int QUEUES = 10;
    private static final int CONNECTIONS = 4;
    private static final int SETTLING_SECONDS = 15;
    private static final int MINUTES = 2;

    @Override
    public String name() {
        return "idle workers";
    }

    @Override
    public List<String> ids(Database database) {
        return List.of(database + ".idle");
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws Exception {
        if (!run.wantsInFull(ids(database).get(0))) {
            return;
        }
        var settings = Arrays.stream(Setting.values())
                .filter(setting -> setting == Setting.POLLING || database == Database.POSTGRESQL)
                .toList();
        Deque<Idle> idle = new ArrayDeque<>();
        try {
            for (var setting : settings) {
                idle.push(Idle.start(setting, database));
            }
            TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
            var before = idle.stream().map(Idle::executed).toList();
            TimeUnit.MINUTES.sleep(MINUTES);
            var place = 0;
            for (var each : idle) {
                var perMinute = (double) (each.executed() - before.get(place++)) / QUEUES / MINUTES;
                findings.point(new Point(Chart.IDLE, database, "statements a minute", each.setting().label, perMinute));
            }
        } finally {
            for (var each : idle) {
                each.close();
            }
        }
    }

    /** Workers of a setting, with nothing to do until they are closed. */
    private record Idle(Setting setting, CountedStatements statements, Deque<AutoCloseable> open)
            implements AutoCloseable {

        static Idle start(Setting setting, Database database) throws Exception {
            var address = database.create();
            var idle = new Idle(setting, new CountedStatements(), new ArrayDeque<>());
            var pool = address.pool(CONNECTIONS);
            idle.open.push(pool);
            QueueSchema.migrate(pool);
            if (setting == Setting.ANNOUNCED) {
                QueueSchema.announce(pool, DIBS_MESSAGE, Announcement.ON_DEMAND);
            }
            var dsl = DSL.using(idle.statements.of(pool), address.dialect());
            if (setting != Setting.POLLING) {
                idle.open.push(Notifications.open(dsl));
            }
            for (int queue = 0; queue < QUEUES; queue++) {
                idle.open.push(Queue.of(dsl, ManagedQueue.ofText(), Backlog.QUEUE + queue)
                        .worker()
                        .consume(payload -> {}));
            }
            return idle;
        }

        long executed() {
            return statements.executed();
        }

        @Override
        public void close() throws Exception {
            for (var each : open) {
                each.close();
            }
        }
    }

    private enum Setting {
        POLLING("polling"),
        NOTIFIED("with Notifications"),
        ANNOUNCED("with Notifications, announced on demand");

        private final String label;

        Setting(String label) {
            this.label = label;
        }
    }
}
