package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Queue;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database with two instances on it, in which a contract makes the tables that it needs. */
abstract class TableContract {

    static final Duration POLL = Duration.ofMillis(100);
    private static final AtomicInteger TABLES = new AtomicInteger();

    private final TestDatabase database;
    final LockForm form;
    final MutableClock clock = MutableClock.at(Instant.parse("2026-03-01T12:00:00Z"));
    final TimeSource time = TimeSource.host(clock);
    final Recorder recorder = new Recorder();
    final List<AutoCloseable> opened = new ArrayList<>();
    Address address;
    Instance here;

    TableContract(TestDatabase database, LockForm form) {
        this.database = database;
        this.form = form;
    }

    @BeforeEach
    void openDatabase() {
        address = database.newDatabase();
        here = instance();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    Instance instance() {
        var instance = Instance.at(address, 6);
        opened.add(instance);
        return instance;
    }

    SQLDialect dialect() {
        return address.dialect();
    }

    boolean isMysqlFamily() {
        return dialect() == SQLDialect.MYSQL || dialect() == SQLDialect.MARIADB;
    }

    WideTable unmade() {
        return WideTable.named("wide_" + TABLES.incrementAndGet());
    }

    WideTable made() {
        return unmade().create(here.dsl());
    }

    <T> Queue<T> mail(QueueTable<T> table) {
        return here.queue(table, "mail", time);
    }

    static List<String> numbered(int messages) {
        return IntStream.range(0, messages).mapToObj(Integer::toString).toList();
    }

    List<Record> rows(Table<?> of) {
        return List.copyOf(here.dsl().selectFrom(of).fetch());
    }

    static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        var next = queue.poll(Recorder.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).as("something within %s", Recorder.PATIENCE).isNotNull();
        return next;
    }
}
