package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is guaranteed in every lock form, on every database, whatever the load and the connections are like. */
abstract class GuaranteeContract extends QueueContract {

    private static final int MANY = 5_000;

    GuaranteeContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @Test
    void fiveThousandMessagesAreHeldByOneHandlerEachAmongTwoInstancesOfEight() throws Exception {
        Map<String, Integer> holders = new ConcurrentHashMap<>();
        var heldTwice = new ConcurrentLinkedQueue<String>();
        var handled = new ConcurrentLinkedQueue<String>();
        here.queue(table, "mail", TimeSource.database()).enqueueAll(numbered(MANY));

        for (var instance : List.of(instance(12), instance(12))) {
            opened.add(instance.queue(table, "mail", TimeSource.database())
                    .worker()
                    .concurrency(8)
                    .pollInterval(Duration.ofMillis(20))
                    .events(recorder)
                    .consume(payload -> {
                        if (holders.merge(payload, 1, Integer::sum) > 1) {
                            heldTwice.add(payload);
                        }
                        handled.add(payload);
                        holders.merge(payload, -1, Integer::sum);
                    }));
        }
        recorder.await("done", MANY);

        assertThat(heldTwice).isEmpty();
        assertThat(handled).containsExactlyInAnyOrderElementsOf(numbered(MANY));
        assertThat(rows(jobs)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void anEnqueueInACallersTransactionLeavesItsIsolationAlone(int isolation) throws Exception {
        var queue = here.queue(table, "mail", time);
        var level = address.dialect() == SQLDialect.SQLITE ? Connection.TRANSACTION_SERIALIZABLE : isolation;

        here.dsl().connection(connection -> {
            connection.setTransactionIsolation(level);
            connection.setAutoCommit(false);
            queue.enqueue(DSL.using(connection, address.dialect()).configuration(), "in there");
            assertThat(connection.getTransactionIsolation()).isEqualTo(level);
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(rows(jobs)).as("what others see before the commit").isEmpty();
            connection.commit();
        });

        assertThat(rows(jobs)).hasSize(1);
    }

    @Test
    void anEnqueueWhereNothingMayBeWrittenIsRefusedWithTheNameOfItsQueue() {
        var settings = address.settings(1);
        settings.setConnectionInitSql(
                switch (address.dialect()) {
                    case POSTGRES -> "set default_transaction_read_only = on";
                    case SQLITE -> "pragma query_only = on";
                    default -> "set session transaction read only";
                });
        var pool = new HikariDataSource(settings);
        opened.add(pool);
        var queue = Queue.builder(DSL.using(pool, address.dialect()), table, "mail")
                .time(time)
                .build();

        assertThatThrownBy(() -> queue.enqueue("never"))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("queue \"mail\"")
                .hasMessageContaining(jobs.getName());
        assertThat(rows(jobs)).isEmpty();
    }

    /** C17: connections go back as they came, with auto-commit on or off. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void c17ConnectionsGoBackAsTheyCame(boolean autoCommit) throws Exception {
        var settings = address.settings(4);
        settings.setAutoCommit(autoCommit);
        settings.setMinimumIdle(4);
        var pool = new HikariDataSource(settings);
        opened.add(pool);
        var before = states(pool);
        var queue = new Instance(pool, DSL.using(pool, address.dialect())).queue(table, "mail", time);
        queue.enqueueAll(List.of("done", "retry", "reject", "throw"));

        var worker = queue.worker()
                .concurrency(2)
                .retry(RetryPolicy.fixed(Duration.ofHours(1)))
                .events(recorder)
                .handle(delivery -> switch (delivery.payload()) {
                    case "done" -> Outcome.done();
                    case "retry" -> Outcome.retry("later");
                    case "reject" -> Outcome.reject("unwanted");
                    default -> throw new IllegalStateException("broken");
                });
        recorder.awaitSettled(4);
        worker.close();

        assertThat(states(pool)).isEqualTo(before);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    // Borrowed all at once, so that each is looked at.
    private static List<String> states(HikariDataSource pool) throws SQLException {
        var borrowed = new ArrayList<Connection>();
        var states = new ArrayList<String>();
        for (int each = 0; each < pool.getMaximumPoolSize(); each++) {
            var connection = pool.getConnection();
            borrowed.add(connection);
            states.add("auto-commit %s, isolation %d, read-only %s, timeout %d, catalog %s, schema %s"
                    .formatted(
                            connection.getAutoCommit(),
                            connection.getTransactionIsolation(),
                            connection.isReadOnly(),
                            connection.getNetworkTimeout(),
                            connection.getCatalog(),
                            connection.getSchema()));
        }
        for (var connection : borrowed) {
            connection.close();
        }
        return states;
    }
}
