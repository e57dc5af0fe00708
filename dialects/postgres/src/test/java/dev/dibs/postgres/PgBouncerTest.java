package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.WorkerBuilder;
import dev.dibs.table.LockForm;
import dev.dibs.table.OrderPolicy;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.PgBouncer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues whose connections all go through a PgBouncer that lends server connections by the transaction. */
@Timeout(180)
final class PgBouncerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MESSAGES = 400;
    private static final int ORDERED = 40;
    private static final int SERVER_CONNECTIONS = 4;
    private static final String LOCKS =
            "select * from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Map<String, Integer> handled = new ConcurrentHashMap<>();
    private Jobs jobs;

    @BeforeEach
    void createTable() {
        jobs = Jobs.create(2);
        opened.add(jobs);
    }

    @AfterEach
    void close() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE", "ROW_LOCK"})
    void messagesAreHandledOnceEachByTwoInstances(LockForm form) throws Exception {
        var bouncer = bouncer(SERVER_CONNECTIONS);
        queue(bouncer.address(), mapped(form)).enqueueAll(numbered(MESSAGES));
        for (var instance : List.of(queue(bouncer.address(), mapped(form)), queue(bouncer.address(), mapped(form)))) {
            opened.add(worker(instance).consume(payload -> handled.merge(payload, 1, Integer::sum)));
        }

        awaitEmpty();

        assertThat(handled)
                .hasSize(MESSAGES)
                .allSatisfy((payload, times) -> assertThat(times).isOne());
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE", "ROW_LOCK"})
    void messagesTakeEffectOnceInTheTransactionsOfTwoInstances(LockForm form) throws Exception {
        jobs.dsl().execute("create table effects (body text primary key)");
        var bouncer = bouncer(SERVER_CONNECTIONS);
        queue(bouncer.address(), mapped(form)).enqueueAll(numbered(MESSAGES));
        for (var instance : List.of(queue(bouncer.address(), mapped(form)), queue(bouncer.address(), mapped(form)))) {
            opened.add(worker(instance).transact((tx, delivery) -> {
                tx.dsl().execute("insert into effects values (?)", delivery.payload());
                return Outcome.done();
            }));
        }

        awaitEmpty();

        assertThat(jobs.dsl().fetchCount(DSL.table("effects"))).isEqualTo(MESSAGES);
    }

    @Test
    void messagesOfAQueueAreHandledInTheirOrderByTwoInstances() throws Exception {
        var bouncer = bouncer(SERVER_CONNECTIONS);
        var ordered = QueueTable.of(Jobs.TABLE, Jobs.ID, Jobs.BODY)
                .attempt(Jobs.TRIES)
                .leasedUntil(Jobs.HELD_UNTIL)
                .fifo(OrderPolicy.BLOCK);
        queue(bouncer.address(), ordered).enqueueAll(numbered(ORDERED));
        var inOrder = Collections.synchronizedList(new ArrayList<String>());
        for (var instance : List.of(queue(bouncer.address(), ordered), queue(bouncer.address(), ordered))) {
            opened.add(worker(instance).consume(inOrder::add));
        }

        awaitEmpty();

        assertThat(inOrder).containsExactlyElementsOf(numbered(ORDERED));
    }

    /** Long bulks go by COPY, shorter ones by arrays. */
    @ParameterizedTest
    @ValueSource(ints = {30, 6_000})
    void bulksAreWritten(int messages) throws Exception {
        queue(bouncer(SERVER_CONNECTIONS).address(), mapped(LockForm.LEASE)).enqueueAll(numbered(messages));

        assertThat(jobs.dsl().fetchCount(Jobs.TABLE)).isEqualTo(messages);
    }

    @Test
    void oneServerConnectionIsEnoughForLeases() throws Exception {
        var bouncer = bouncer(1);
        var queue = queue(bouncer.address(), mapped(LockForm.LEASE));
        queue.enqueueAll(numbered(MESSAGES));
        opened.add(worker(queue).consume(payload -> handled.merge(payload, 1, Integer::sum)));

        awaitEmpty();

        assertThat(handled)
                .hasSize(MESSAGES)
                .allSatisfy((payload, times) -> assertThat(times).isOne());
    }

    /** C12: session state behind a pooler that lends server connections by the transaction. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20})
    void c12LocksOfSessionsAreRefusedHoweverManyServerConnectionsThereAre(int connections) throws Exception {
        assertAdvisoryIsRefused(bouncer(connections), connections);
    }

    /** C12: the same where the pooler lends the server connection that has been idle for longest. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20})
    void c12LocksOfSessionsAreRefusedWhereServerConnectionsTakeTurns(int connections) throws Exception {
        assertAdvisoryIsRefused(bouncer(connections, "server_round_robin = 1"), connections);
    }

    /** C12: a statement that was prepared on another server connection, or another one of its name. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20})
    void c12StatementsThatThePoolerDoesNotKeepAreRefusedWhereTheDriverPreparesThem(int connections) throws Exception {
        var bouncer = PgBouncer.forgettingStatements(jobs.address(), connections);
        opened.add(bouncer);
        var queue = queue(bouncer.addressOfDriversThatPrepare(), mapped(LockForm.LEASE));
        openServerConnections(bouncer, connections);

        assertThatThrownBy(() -> worker(queue).consume(payload -> {}))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("does not keep what the driver has prepared")
                .hasMessageContaining("prepareThreshold=0")
                .hasMessageContaining("max_prepared_statements");
    }

    private void assertAdvisoryIsRefused(PgBouncer bouncer, int connections) throws Exception {
        var queue = queue(bouncer.address(), mapped(LockForm.ADVISORY));
        openServerConnections(bouncer, connections);

        assertThatThrownBy(() -> worker(queue).consume(payload -> {}))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("a lock that a session takes on a key does not hold here")
                .hasMessageContaining("connect to the server itself")
                .hasMessageContaining("map leasedUntil(..) to use leases");

        assertThat(jobs.dsl().fetch(LOCKS)).isEmpty();
    }

    /** It opens one only when a client finds none free. */
    private void openServerConnections(PgBouncer bouncer, int connections) throws SQLException {
        var pool = bouncer.address().pool(connections);
        opened.add(pool);
        var inTransactions = new ArrayList<Connection>();
        for (int each = 0; each < connections; each++) {
            var connection = pool.getConnection();
            connection.setAutoCommit(false);
            DSL.using(connection).fetch("select 1");
            inTransactions.add(connection);
        }
        for (var each : inTransactions) {
            each.close();
        }
    }

    private PgBouncer bouncer(int connections, String... settings) throws IOException {
        var bouncer = PgBouncer.inFrontOf(jobs.address(), connections, settings);
        opened.add(bouncer);
        return bouncer;
    }

    private Queue<String> queue(Address address, QueueTable<String> table) {
        return Queue.of(DSL.using(pool(address), SQLDialect.POSTGRES), table, "jobs");
    }

    private HikariDataSource pool(Address address) {
        var pool = address.pool(6);
        opened.add(pool);
        return pool;
    }

    private static WorkerBuilder<String> worker(Queue<String> queue) {
        return queue.worker()
                .concurrency(4)
                .retry(RetryPolicy.fixed(Duration.ZERO).withoutLimit());
    }

    private void awaitEmpty() {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(jobs.dsl().fetchCount(Jobs.TABLE)).isZero());
    }

    private static List<String> numbered(int messages) {
        return IntStream.range(0, messages).mapToObj(Integer::toString).toList();
    }

    private static QueueTable<String> mapped(LockForm form) {
        var plain = QueueTable.of(Jobs.TABLE, Jobs.ID, Jobs.BODY)
                .priority(Jobs.PRIORITY)
                .dueAt(Jobs.DUE)
                .attempt(Jobs.TRIES);
        return switch (form) {
            case LEASE -> plain.leasedUntil(Jobs.HELD_UNTIL);
            case ROW_LOCK -> plain;
            case ADVISORY -> plain.lockKey(Jobs.ID);
        };
    }
}
