package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** C28: a transaction that reads first and writes later must not fail because somebody else wrote in between. */
final class SqliteBusyTest {

    private static final int MESSAGES_OF_A_PRODUCER = 150;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Address address = TestDatabase.sqlite().newDatabase();
    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @Test
    void c28TwoProcessesAndTwoProducersMeetNoBusyError() throws Exception {
        try (var pool = address.pool(8)) {
            var dsl = DSL.using(pool, SQLDialect.SQLITE);
            SqliteJobs.create(dsl);
            var queue = Queue.of(dsl, SqliteJobs.TABLE, "jobs");
            try (var other = OtherProcess.start(address.url())) {
                var output = other.output();
                assertThat(output.readLine()).isEqualTo("started");
                var listening = new Thread(() -> output.lines().forEach(handled::add));
                listening.start();
                try (var worker = queue.worker()
                        .concurrency(4)
                        .pollInterval(Duration.ofMillis(5))
                        .events(onlyFailures())
                        .consume(handled::add)) {
                    var producers = Stream.of("a", "b")
                            .map(name -> producer(queue, name))
                            .toList();
                    for (var producer : producers) {
                        producer.join();
                    }
                    assertThat(take(2 * MESSAGES_OF_A_PRODUCER)).doesNotHaveDuplicates();
                }
            }
        }
        assertThat(failures).isEmpty();
        assertThat(handled).as("messages handled twice").isEmpty();
    }

    @Test
    void c28AnOwnTransactionHoldsTheWriteLockFromItsFirstRead() throws Exception {
        try (var keeper = DriverManager.getConnection(address.url())) {
            SqliteJobs.create(DSL.using(keeper, SQLDialect.SQLITE));
        }
        try (var pool = address.pool(1);
                var impatient = DriverManager.getConnection(address.url() + "&busy_timeout=0")) {
            var written = JdbcTransaction.of(new SqliteWriter()).run(DSL.using(pool, SQLDialect.SQLITE), own -> {
                own.fetchCount(DSL.table("jobs"));
                assertThatThrownBy(() -> insert(impatient)).hasMessageContaining("SQLITE_BUSY");
                return own.execute("insert into jobs (body) values ('mine')");
            });

            assertThat(written).isOne();
        }
    }

    private static void insert(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("insert into jobs (body) values ('theirs')");
        }
    }

    private Thread producer(Queue<String> queue, String name) {
        var thread = new Thread(() -> {
            try {
                IntStream.range(0, MESSAGES_OF_A_PRODUCER).forEach(number -> queue.enqueue(name + number));
            } catch (RuntimeException failure) {
                failures.add(failure);
            }
        });
        thread.start();
        return thread;
    }

    private QueueEvents onlyFailures() {
        return new QueueEvents() {
            @Override
            public void claimFailed(String queue, Throwable failure) {
                failures.add(failure);
            }

            @Override
            public void settlementFailed(String queue, Object id, Throwable failure) {
                failures.add(failure);
            }
        };
    }

    private List<String> take(int count) throws InterruptedException {
        var taken = new ArrayList<String>();
        while (taken.size() < count) {
            var next = handled.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(next).as("message %d of %d", taken.size() + 1, count).isNotNull();
            taken.add(next);
        }
        return taken;
    }
}
