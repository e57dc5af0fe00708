package dev.dibs.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Message;
import dev.dibs.Queue;
import dev.dibs.Worker;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.table.OrderPolicy;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.Address;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.impl.DSL;

/** Messages a second that Dibs enqueues and drains, and what each costs the server, as there is more of something. */
final class GrowingLoad implements Scenario {

    private static final int WARM_UPS = 5;
    private static final int MANY = 20_000;
    private static final int OF_ONE_KEY = 50;
    private static final int SMALL_PAYLOAD = 100;
    private static final int IN_ANOTHER_QUEUE = 100;
    private static final int BYTES = 50_000_000;
    private static final int BYTES_AT_ONCE = 5_000_000;
    private static final int HANDLERS = 16;
    private static final int CONNECTIONS = 8;

    private static final Growing INSTANCES = new Growing(
            "instances",
            Chart.INSTANCES,
            List.of(1, 2, 4, 8),
            instances -> new Load(MANY, 1, 0, SMALL_PAYLOAD, instances));

    private static final List<Growing> ALL = List.of(
            new Growing(
                    "queues",
                    Chart.QUEUES,
                    List.of(1, 10, 100, 1_000),
                    queues -> new Load(MANY, queues, 0, SMALL_PAYLOAD, 1)),
            new Growing(
                    "order-keys",
                    Chart.ORDER_KEYS,
                    List.of(1, 10, 100, 1_000, 10_000),
                    keys -> new Load(Math.min(MANY, OF_ONE_KEY * keys), 1, keys, SMALL_PAYLOAD, 1)),
            new Growing(
                    "payload",
                    Chart.PAYLOAD,
                    List.of(0, 100, 1_000, 10_000, 100_000, 1_000_000),
                    bytes -> new Load(Math.min(MANY, BYTES / Math.max(1, bytes)), 1, 0, bytes, 1)),
            INSTANCES);

    @Override
    public String name() {
        return "growing load";
    }

    @Override
    public List<String> ids(Database database) {
        return ALL.stream().map(growing -> growing.id(database)).toList();
    }

    @Override
    public void measure(Run run, Database database, Findings findings) throws Exception {
        var wanted = ALL.stream()
                .filter(growing -> run.wantsInFull(growing.id(database)))
                .toList();
        if (!wanted.isEmpty()) {
            run.step("%s: warm-up of the growing loads".formatted(database));
            for (int round = 0; round < WARM_UPS; round++) {
                INSTANCES.loads().apply(1).drain(database);
            }
        }
        for (var growing : wanted) {
            for (int amount : growing.amounts()) {
                var place = "%,d".formatted(amount);
                run.step("%s: %s %s".formatted(database, place, growing.chart().across()));
                var drained = growing.loads().apply(amount).drain(database);
                findings.point(new Point(growing.chart(), database, "enqueued in bulk", place, drained.enqueueRate()));
                findings.point(new Point(growing.chart(), database, "drained", place, drained.rate()));
                if (growing.isAtAnEnd(amount)) {
                    drained.addCost(
                            findings,
                            database,
                            "%s: %s".formatted(growing.chart().across(), place));
                }
            }
        }
    }

    /** What there is more and more of. */
    private record Growing(String name, Chart chart, List<Integer> amounts, IntFunction<Load> loads) {

        String id(Database database) {
            return "%s.growing.%s".formatted(database, name);
        }

        boolean isAtAnEnd(int amount) {
            return amount == amounts.get(0) || amount == amounts.get(amounts.size() - 1);
        }
    }

    /**
     * A burn-down.
     *
     * @param queues in the table, one of which is drained; the others have a backlog
     * @param orderKeys that the messages have; 0 if none
     * @param payload bytes of each message
     */
    private record Load(int messages, int queues, int orderKeys, int payload, int instances) {

        Drained drain(Database database) throws Exception {
            var address = database.create();
            var statements = new CountedStatements();
            try (var watching = address.pool(2)) {
                QueueSchema.migrate(watching);
                fillOtherQueues(watching, address);
                var before = counted(database, watching);
                var nanos = drain(address, statements);
                var counters = counted(database, watching).since(before);
                return new Drained(messages, nanos, statements.executed(), counters);
            }
        }

        private static Counters counted(Database database, DataSource pool) throws SQLException {
            return database == Database.POSTGRESQL ? Counters.read(pool) : new Counters(0, 0, 0);
        }

        private void fillOtherQueues(DataSource pool, Address address) {
            for (int other = 1; other < queues; other++) {
                Queue.of(DSL.using(pool, address.dialect()), ManagedQueue.ofText(), "another " + other)
                        .enqueueAll(Collections.nCopies(IN_ANOTHER_QUEUE, "a message"));
            }
        }

        // The pools are closed before the counters are read: a session that ends has told all that it counted.
        private Nanos drain(Address address, CountedStatements statements) throws Exception {
            var pools = new ArrayList<HikariDataSource>();
            try {
                var sharing = new ArrayList<Queue<String>>();
                for (int instance = 0; instance < instances; instance++) {
                    var pool = address.pool(CONNECTIONS);
                    pools.add(pool);
                    sharing.add(Queue.of(DSL.using(statements.of(pool), address.dialect()), mapping(), Backlog.QUEUE));
                }
                var start = System.nanoTime();
                enqueue(sharing.get(0));
                var enqueued = System.nanoTime();
                drain(sharing);
                return new Nanos(enqueued - start, System.nanoTime() - enqueued);
            } finally {
                pools.forEach(HikariDataSource::close);
            }
        }

        private QueueTable<String> mapping() {
            return orderKeys == 0
                    ? ManagedQueue.ofText()
                    : ManagedQueue.named("dibs_", null)
                            .ordered(OrderPolicy.BLOCK)
                            .text();
        }

        private void enqueue(Queue<String> queue) {
            var text = textThatCannotBeCompressed();
            var part = Math.max(1, BYTES_AT_ONCE / Math.max(SMALL_PAYLOAD, payload));
            for (int first = 0; first < messages; first += part) {
                queue.enqueueMessages(IntStream.range(first, Math.min(messages, first + part))
                        .mapToObj(number -> message(text, number))
                        .toList());
            }
        }

        private String textThatCannotBeCompressed() {
            return new Random(1)
                    .ints(payload, 'a', 'z' + 1)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
        }

        private Message<String> message(String text, int number) {
            return orderKeys == 0 ? Message.of(text) : Message.of(text).orderKey("key " + number % orderKeys);
        }

        private void drain(List<Queue<String>> sharing) throws InterruptedException {
            var remaining = new CountDownLatch(messages);
            var workers = sharing.stream()
                    .map(queue -> queue.worker().concurrency(HANDLERS).consume(text -> remaining.countDown()))
                    .toList();
            try {
                remaining.await();
            } finally {
                workers.forEach(Worker::close);
            }
        }
    }

    private record Nanos(long enqueueing, long draining) {}

    /** What became of a load. */
    private record Drained(int messages, Nanos nanos, long statements, Counters counters) {

        double enqueueRate() {
            return messages * 1e9 / nanos.enqueueing;
        }

        double rate() {
            return messages * 1e9 / nanos.draining;
        }

        void addCost(Findings findings, Database database, String series) {
            findings.point(
                    new Point(Chart.GROWING_COST, database, series, "statements", (double) statements / messages));
            counters.addTo(findings, Chart.GROWING_COST, series, messages);
        }
    }
}
