package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Message;
import dev.dibs.Queue;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.MutableClock;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** C03: times as texts, from Dibs and from SQLite's own functions, in one table. */
final class SqliteTimeTextTest {

    private static final String SHAPE = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{6}";
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final MutableClock clock = MutableClock.at(NOON);
    private final TimeSource host = TimeSource.host(clock);
    private final QueueTable<String> table = mapped(SQLDataType.CLOB);
    private HikariDataSource pool;
    private DSLContext dsl;

    @BeforeEach
    void createTable() {
        var address = TestDatabase.sqlite().newDatabase();
        pool = address.pool(2);
        dsl = DSL.using(pool, address.dialect());
        dsl.execute("create table jobs (id integer primary key autoincrement, body text,"
                + " due text not null default current_timestamp, held text, token integer)");
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void c03OfTwoMessagesOfOneDayThePastOneAloneIsClaimed() {
        var queue = Queue.builder(dsl, table, "jobs").time(host).build();
        queue.enqueue(Message.of("later today").dueAt(NOON.plus(Duration.ofMinutes(30))));
        queue.enqueue(Message.of("earlier today").dueAt(NOON.minus(Duration.ofMinutes(30))));
        write("later, by SQLite", "datetime('2026-03-01 12:00:00', '+30 minutes')");
        write("earlier, by SQLite", "datetime('2026-03-01 12:00:00', '-30 minutes')");
        write("later, with a fraction", "strftime('%Y-%m-%d %H:%M:%f', '2026-03-01 12:00:00.001')");
        write("this very second", "datetime('2026-03-01 12:00:00')");

        assertThat(bodies(claim(host))).containsExactly("earlier today", "earlier, by SQLite", "this very second");
    }

    @Test
    void c03AFreshLeaseIsNotSeenAsEnded() {
        Queue.builder(dsl, table, "jobs").time(host).build().enqueue("held");
        assertThat(claim(host)).hasSize(1);

        clock.advance(Duration.ofMinutes(1));
        assertThat(claim(host)).isEmpty();
        clock.advance(Duration.ofMinutes(4));

        assertThat(claim(host)).hasSize(1);
    }

    @Test
    void c03WhatTheColumnsDefaultWroteIsDueByTheDatabasesClock() {
        dsl.execute("insert into jobs (body) values ('by default')");

        assertThat(bodies(claim(TimeSource.database()))).containsExactly("by default");
    }

    @Test
    void c03AllTimesThatAreWrittenHaveOneShape() {
        for (var time : List.of(host, TimeSource.database())) {
            var queue = Queue.builder(dsl, table, "jobs").time(time).build();
            queue.enqueue("now");
            queue.enqueue(Message.of("delayed").delayed(Duration.ofMillis(1_500)));
            queue.enqueue(Message.of("at").dueAt(NOON));
            claim(time);
        }

        assertThat(dsl.fetchValues("select due from jobs union all select held from jobs where held is not null"))
                .hasSizeGreaterThan(9)
                .allSatisfy(text -> assertThat((String) text).matches(SHAPE));
    }

    @Test
    void aPointInTimeIsATypeThatSqliteDoesNotHave() {
        var zoned = mapped(SQLDataType.OFFSETDATETIME(6));

        assertThatThrownBy(() -> Queue.of(dsl, zoned, "jobs"))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("which SQLite does not have; map a bigint, or a text");
    }

    private static QueueTable<String> mapped(DataType<?> type) {
        return QueueTable.of(
                        DSL.table(name("jobs")), column("id", SQLDataType.BIGINT), column("body", SQLDataType.CLOB))
                .dueAt(column("due", type))
                .leasedUntil(column("held", type))
                .leaseToken(column("token", SQLDataType.BIGINT));
    }

    private static <T> Field<T> column(String column, DataType<T> type) {
        return field(name("jobs", column), type);
    }

    private void write(String body, String due) {
        dsl.execute("insert into jobs (body, due) values (?, %s)".formatted(due), body);
    }

    private List<Claimed> claim(TimeSource time) {
        var queue = new QueueRef(table, "jobs", time);
        return new SqliteDialect()
                .claim(queue)
                .claim(ClaimRequest.of(dsl, queue, 10, Duration.ofMinutes(5)))
                .map(found -> found.split(1))
                .orElseGet(List::of);
    }

    private List<String> bodies(List<Claimed> rows) {
        var columns = new QueueRef(table, "jobs", host).columns();
        return rows.stream()
                .map(row -> (String) columns.payload(row.rows().get(0)).value())
                .toList();
    }
}
