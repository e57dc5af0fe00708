package dev.dibs.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import dev.dibs.TransactionalHandler;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a message whose transaction ends underneath, which MySQL and MariaDB do without a word. */
abstract class BrokenTransactionContract {

    private static final QueueTable<String> JOBS = QueueTable.of(
            table(name("jobs")),
            field(name("jobs", "id"), SQLDataType.BIGINT),
            field(name("jobs", "body"), SQLDataType.CLOB));

    private static final Map<LockForm, QueueTable<String>> MAPPINGS = Map.of(
            LockForm.ROW_LOCK, JOBS,
            LockForm.LEASE, JOBS.leasedUntil(field(name("jobs", "held_until"), SQLDataType.BIGINT)),
            LockForm.ADVISORY, JOBS.lockKey(JOBS.id()));

    private final TestDatabase database;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    private DSLContext dsl;

    BrokenTransactionContract(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void createTables() {
        HikariDataSource pool = database.newDatabase().pool(6);
        opened.add(pool);
        dsl = DSL.using(pool, database.dialect());
        dsl.execute("create table jobs (id bigint auto_increment primary key, body text not null, held_until bigint)");
        dsl.execute("create table account (id int primary key, balance int not null)");
        dsl.execute("insert into account values (1, 0), (2, 0), (3, 0), (4, 0)");
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatSwallowsADeadlockKeepsNothingOfWhatItWroteBeforeAndAfter(LockForm form) throws Exception {
        var queue = enqueued(form, "careless");
        var first = new CountDownLatch(1);

        start(queue, (tx, delivery) -> {
            if (first.getCount() == 0) {
                return Outcome.done();
            }
            first.countDown();
            credit(tx, 1);
            deadlock(tx);
            credit(tx, 4);
            return Outcome.done();
        });

        assertThat(next()).isEqualTo("deadlock 40001");
        assertThat(next()).isEqualTo(form == LockForm.ROW_LOCK ? "lost" : "retried"); // elsewhere the row is held yet
        assertThat(next()).isEqualTo("done");
        assertThat(balance(1)).isZero();
        assertThat(balance(4)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatChangesATableKeepsNothingOfWhatItWroteAfter(LockForm form) throws Exception {
        var queue = enqueued(form, "reckless");
        var first = new CountDownLatch(1);

        start(queue, (tx, delivery) -> {
            if (first.getCount() > 0) {
                first.countDown();
                tx.dsl().execute("create table surprise (id int)"); // commits all before it
                credit(tx, 4);
            }
            return Outcome.done();
        });

        assertThat(next()).isEqualTo(form == LockForm.ROW_LOCK ? "lost" : "retried"); // elsewhere the row is held yet
        assertThat(next()).isEqualTo("done");
        assertThat(balance(4)).isZero();
    }

    // The other transaction is the heavier one, so the handler's is the victim.
    private void deadlock(Configuration tx) throws Exception {
        var otherHolds = new CountDownLatch(1);
        var other = new Thread(() -> dsl.transaction(heavier -> {
            heavier.dsl().execute("update account set balance = balance + 100 where id in (2, 3)");
            heavier.dsl().execute("insert into account values (10, 0), (11, 0), (12, 0), (13, 0), (14, 0)");
            otherHolds.countDown();
            heavier.dsl().execute("update account set balance = balance + 100 where id = 1");
        }));
        other.start();
        otherHolds.await();
        try {
            tx.dsl().execute("update account set balance = balance + 1 where id = 2");
        } catch (DataAccessException deadlock) {
            events.add("deadlock " + deadlock.sqlState());
        }
        other.join();
        credit(dsl.configuration(), 1, -100);
    }

    private Queue<String> enqueued(LockForm form, String payload) {
        var queue = Queue.of(dsl, Optional.ofNullable(MAPPINGS.get(form)).orElseThrow(), "jobs");
        queue.enqueueAll(List.of(payload));
        return queue;
    }

    private void start(Queue<String> queue, TransactionalHandler<String> handler) {
        opened.add(queue.worker()
                .events(new QueueEvents() {
                    @Override
                    public void lost(String name, Object id) {
                        events.add("lost");
                    }

                    @Override
                    public void retried(String name, Object id, int attempt, Duration delay, String error) {
                        events.add("retried");
                    }

                    @Override
                    public void done(String name, Object id, Duration handling) {
                        events.add("done");
                    }
                })
                .transact(handler));
    }

    private String next() throws InterruptedException {
        return String.valueOf(events.poll(30, TimeUnit.SECONDS));
    }

    private static void credit(Configuration tx, int account) {
        credit(tx, account, 1);
    }

    private static void credit(Configuration tx, int account, int amount) {
        tx.dsl().execute("update account set balance = balance + ? where id = ?", amount, account);
    }

    private int balance(int account) {
        return dsl.fetchSingle("select balance from account where id = ?", account)
                .get(0, int.class);
    }
}
