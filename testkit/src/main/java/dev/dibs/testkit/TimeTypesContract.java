package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Micros;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds of a queue whose time columns are of any type that the database has.
 *
 * <p>A dialect extends it with a class that names its database. The sessions of its two instances are in different time
 * zones, both of them far from UTC, and one of them leaves out an hour in spring and repeats one in autumn.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class TimeTypesContract {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration TICK = Duration.ofNanos(1_000);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Almost a second is over, so that rounding to seconds goes up. */
    private static final Instant LATE_IN_A_SECOND = Instant.parse("2026-03-01T12:00:00.900001Z");

    /** UTC's own clock shows what New York's never does, and the hour that New York's shows twice, both times. */
    private static final List<Instant> AWKWARD = List.of(
            Instant.parse("2026-03-08T02:30:00Z"),
            Instant.parse("2026-03-08T07:30:00Z"),
            Instant.parse("2026-11-01T01:30:00Z"),
            Instant.parse("2026-11-01T05:30:00Z"),
            Instant.parse("2026-11-01T06:30:00Z"));

    private final TestDatabase database;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private MutableClock clock = MutableClock.at(LATE_IN_A_SECOND);
    private TimeSource host = TimeSource.host(clock);

    /** The contract on a database. */
    protected TimeTypesContract(TestDatabase database) {
        this.database = database;
    }

    /** The types that this database has. */
    final Stream<TimeType> types() {
        return TimeType.of(database.dialect()).stream();
    }

    /** Each of them with each clock. */
    final Stream<Arguments> clocks() {
        return types().flatMap(type -> Stream.of(Arguments.of(type, "host"), Arguments.of(type, "database")));
    }

    @BeforeEach
    void resetTheClock() {
        clock = MutableClock.at(LATE_IN_A_SECOND);
        host = TimeSource.host(clock);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
        opened.clear();
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void aMessageIsEnqueuedHandledRetriedAndKept(TimeType type, String of) throws Exception {
        var timed = new Timed(type);
        var recorder = new Recorder();
        var deliveries = new AtomicInteger();
        timed.queue(timed.table.withToken(), time(of)).enqueue("job");
        opened.add(timed.queue(timed.table.withToken(), time(of))
                .worker()
                .retry(RetryPolicy.fixed(Duration.ZERO))
                .pollInterval(Duration.ofMillis(50))
                .events(recorder)
                .handle(delivery -> deliveries.incrementAndGet() == 1 ? Outcome.retry("once") : Outcome.done()));

        recorder.await("retried");
        recorder.await("done");

        assertThat(timed.times(timed.table.held)).isEmpty();
        assertThat(timed.times(timed.table.ended)).hasSize(1);
        assertThat(timed.claim(timed.table.withToken(), time(of))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("clocks")
    void withoutATokenTheExpiryProvesWhoHoldsARow(TimeType type, String of) throws Exception {
        var timed = new Timed(type);
        if (!type.isExact()) {
            assertThatThrownBy(() -> timed.queue(timed.table.withoutToken(), time(of)))
                    .isInstanceOf(QueueException.class)
                    .hasMessageContaining("too coarse to prove who holds a row")
                    .hasMessageContaining("map leaseToken(..)");
            return;
        }
        var recorder = new Recorder();
        var queue = timed.queue(timed.table.withoutToken(), time(of));
        queue.enqueueAll(QueueContract.numbered(10));
        opened.add(queue.worker().concurrency(3).events(recorder).consume(payload -> {}));

        recorder.await("done", 10);

        assertThat(timed.times(timed.table.ended)).hasSize(10);
    }

    @ParameterizedTest
    @MethodSource("types")
    void aDelayIsNeverShorterThanAskedAndAtMostOneUnitLonger(TimeType type) {
        var timed = new Timed(type);
        timed.queue(timed.table.withToken(), host)
                .enqueue(Message.of("later").delayed(Duration.ofMinutes(1).plusNanos(1)));

        clock.advance(Duration.ofMinutes(1));
        assertThat(timed.claim(timed.table.withToken(), host)).isEmpty();
        clock.advance(type.unit());

        assertThat(timed.claim(timed.table.withToken(), host)).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("types")
    void aLeaseIsNeverShorterThanAskedAndAtMostOneUnitLonger(TimeType type) {
        var timed = new Timed(type);
        timed.queue(timed.table.withToken(), host).enqueue("held");
        assertThat(timed.claim(timed.table.withToken(), host)).hasSize(1);

        clock.advance(LEASE.minus(TICK));
        assertThat(timed.claim(timed.table.withToken(), host)).isEmpty();
        clock.advance(type.unit());

        assertThat(timed.claim(timed.table.withToken(), host)).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("types")
    void theDatabasesClockHoldsALeaseForItsTime(TimeType type) {
        var timed = new Timed(type);
        timed.queue(timed.table.withToken(), TimeSource.database()).enqueue("held");
        var before = timed.databaseTime();

        assertThat(timed.claim(timed.table.withToken(), TimeSource.database())).hasSize(1);
        assertThat(timed.claim(timed.table.withToken(), TimeSource.database())).isEmpty();

        assertThat(timed.times(timed.table.held))
                .singleElement()
                .satisfies(end -> assertThat(end)
                        .isBetween(
                                before.plus(LEASE),
                                timed.databaseTime().plus(LEASE).plus(type.unit())));
    }

    /** C01: enqueued in one session zone, claimed in another, and the other way round. */
    @ParameterizedTest
    @MethodSource("clocks")
    void c01NoSessionZoneMatters(TimeType type, String of) {
        var timed = new Timed(type);
        for (var pair : List.of(List.of(timed.india, timed.newYork), List.of(timed.newYork, timed.india))) {
            var queue = queue(pair.get(0), timed.table.withToken(), time(of));
            queue.enqueue("now");
            queue.enqueue(Message.of("later").delayed(Duration.ofMinutes(1)));
            var before = of.equals("host") ? clock.instant() : timed.databaseTime();

            var claimed = claim(pair.get(1), timed.table.withToken(), time(of));

            assertThat(claimed)
                    .singleElement()
                    .satisfies(row -> assertThat(due(timed, row)).isBetween(type.cut(before.minusSeconds(5)), before));
        }
        assertThat(timed.times(timed.india, timed.table.due)).isEqualTo(timed.times(timed.newYork, timed.table.due));
    }

    /** C01: an hour that a zone leaves out, and one that it has twice. */
    @ParameterizedTest
    @MethodSource("types")
    void c01AnHourThatAZoneLeavesOutOrRepeatsIsAnHourLikeAnyOther(TimeType type) {
        var timed = new Timed(type);
        var queue = queue(timed.newYork, timed.table.withToken(), host);
        AWKWARD.forEach(due -> queue.enqueue(Message.of(due.toString()).dueAt(due)));

        assertThat(timed.times(timed.india, timed.table.due)).isEqualTo(AWKWARD);
        assertThat(timed.times(timed.newYork, timed.table.due)).isEqualTo(AWKWARD);
        for (var due : AWKWARD) {
            var moment = MutableClock.at(due.minus(TICK));
            assertThat(claim(timed.newYork, timed.table.withToken(), TimeSource.host(moment)))
                    .isEmpty();
            moment.advance(TICK);
            assertThat(claim(timed.newYork, timed.table.withToken(), TimeSource.host(moment), Duration.ofDays(365)))
                    .singleElement()
                    .satisfies(row -> assertThat(due(timed, row)).isEqualTo(due));
        }
    }

    /** C01: the JVM's own zone, which workers in a process of their own have set to another one. */
    @Test
    void c01NoZoneOfAJvmMatters() throws Exception {
        var gone = List.of(
                Instant.parse("2026-03-08T02:30:00Z"),
                Instant.parse("2025-11-02T05:30:00Z"),
                Instant.parse("2025-11-02T06:30:00Z"));
        var tables = new EnumMap<TimeType, Timed>(TimeType.class);
        types().forEach(type -> tables.put(type, new Timed(type)));
        for (var timed : tables.values()) {
            var queue = timed.queue(timed.table.withToken(), TimeSource.database());
            gone.forEach(due -> queue.enqueue(Message.of("long ago").dueAt(due)));
            queue.enqueue(Message.of("in an hour").delayed(Duration.ofHours(1)));
            queue.enqueue("now");
        }
        var addresses = new EnumMap<TimeType, Address>(TimeType.class);
        tables.forEach((type, timed) -> addresses.put(type, timed.address));

        var due = ZonedClaim.dueTimes(addresses, "America/New_York", 4);

        assertThat(due).containsOnlyKeys(tables.keySet());
        tables.forEach((type, timed) -> {
            assertThat(due.get(type)).as(type.name()).hasSize(4).containsAll(gone);
            assertThat(timed.times(timed.table.due))
                    .as(type.name())
                    .containsAll(due.get(type))
                    .hasSize(5);
        });
    }

    /** C02: nothing that is due now is rounded into the future, by either clock. */
    @ParameterizedTest
    @MethodSource("clocks")
    void c02WhatIsDueNowIsClaimedAtOnce(TimeType type, String of) {
        var timed = new Timed(type);
        var queue = timed.queue(timed.table.withToken(), time(of));
        for (int round = 0; round < 30; round++) {
            queue.enqueue("now");

            assertThat(timed.claim(timed.table.withToken(), time(of))).hasSize(1);
            clock.advance(Duration.ofMillis(37));
        }
    }

    /** C02: a lease of a second ends a second later, or at the next value that the column has. */
    @ParameterizedTest
    @MethodSource("types")
    void c02ALeaseOfASecondIsNoShorter(TimeType type) {
        var timed = new Timed(type);
        timed.queue(timed.table.withToken(), host).enqueue("held");

        claim(timed.india, timed.table.withToken(), host, SECOND);

        assertThat(timed.times(timed.table.held))
                .singleElement()
                .satisfies(end -> assertThat(end)
                        .isBetween(
                                LATE_IN_A_SECOND.plus(SECOND),
                                LATE_IN_A_SECOND.plus(SECOND).plus(type.unit()).minus(TICK)));
    }

    /** C04: the last time that a type holds comes back as it was, and is claimed when it has come. */
    @ParameterizedTest
    @MethodSource("types")
    void c04TheLastTimeOfATypeIsKept(TimeType type) {
        var timed = new Timed(type);

        timed.queue(timed.table.withToken(), host).enqueue(Message.of("far").dueAt(type.last()));

        assertThat(timed.times(timed.table.due)).containsExactly(type.cut(type.last()));
        assertThat(timed.claim(timed.table.withToken(), host)).isEmpty();
    }

    /** C04: a time beyond it is refused by one clear exception, and the caller's transaction goes on. */
    @ParameterizedTest
    @MethodSource("types")
    void c04ATimeBeyondTheLastIsRefusedBeforeTheDatabaseSeesIt(TimeType type) {
        var timed = new Timed(type);
        var queue = timed.queue(timed.table.withToken(), host);

        timed.india.transaction(tx -> {
            for (var beyond : List.of(type.last().plus(TICK), Instant.MAX)) {
                assertThatThrownBy(() -> queue.enqueue(tx, Message.of("too far").dueAt(beyond)))
                        .isInstanceOf(QueueException.class)
                        .hasMessageContaining("the time %s cannot be stored", beyond);
            }
            queue.enqueue(tx, "fine");
        });

        assertThat(timed.claim(timed.table.withToken(), host)).hasSize(1);
    }

    /** C04: a delay of a hundred years is kept, or refused where the type ends before. */
    @ParameterizedTest
    @MethodSource("clocks")
    void c04ADelayOfAHundredYearsIsKeptOrRefused(TimeType type, String of) {
        var timed = new Timed(type);
        var queue = timed.queue(timed.table.withToken(), time(of));
        var far = Message.of("in a hundred years").delayed(Micros.LONGEST);
        if (type.last().isBefore(LATE_IN_A_SECOND.plus(Micros.LONGEST))) {
            assertThatThrownBy(() -> queue.enqueue(far))
                    .isInstanceOf(QueueException.class)
                    .hasMessageContaining("lies between")
                    .hasMessageContaining(type.last().toString());
            return;
        }

        queue.enqueue(far);

        assertThat(timed.times(timed.table.due))
                .singleElement()
                .satisfies(due -> assertThat(due).isAfterOrEqualTo(LATE_IN_A_SECOND.plus(Micros.LONGEST)));
    }

    private TimeSource time(String of) {
        return of.equals("host") ? host : TimeSource.database();
    }

    private static Queue<String> queue(DSLContext dsl, QueueTable<String> table, TimeSource time) {
        return Queue.builder(dsl, table, "jobs").time(time).build();
    }

    private List<Claimed> claim(DSLContext dsl, QueueTable<String> table, TimeSource time) {
        return claim(dsl, table, time, LEASE);
    }

    private List<Claimed> claim(DSLContext dsl, QueueTable<String> table, TimeSource time, Duration lease) {
        var ref = new QueueRef(table, "jobs", time);
        return claim(ref)
                .claim(ClaimRequest.of(dsl, ref, 10, lease))
                .map(found -> found.split(1))
                .orElseGet(List::of);
    }

    private Claim claim(QueueRef ref) {
        return Dialects.of(database.dialect()).claim(ref);
    }

    private static Instant due(Timed timed, Claimed row) {
        return new QueueRef(timed.table.withToken(), "jobs", TimeSource.database())
                .columns()
                .dueAt(row.rows().get(0))
                .orElseThrow();
    }

    /** A table of one type, and two instances in two zones. */
    private final class Timed {

        private final Address address = database.newDatabase();
        private final DSLContext india = dsl("Asia/Kolkata");
        private final DSLContext newYork = dsl("America/New_York");
        private final TimedTable table;

        Timed(TimeType type) {
            this.table = new TimedTable(type).create(india);
        }

        Queue<String> queue(QueueTable<String> mapping, TimeSource time) {
            return TimeTypesContract.queue(india, mapping, time);
        }

        List<Claimed> claim(QueueTable<String> mapping, TimeSource time) {
            return TimeTypesContract.this.claim(newYork, mapping, time);
        }

        List<Instant> times(Field<?> column) {
            return times(newYork, column);
        }

        List<Instant> times(DSLContext dsl, Field<?> column) {
            return table.times(dsl, column);
        }

        Instant databaseTime() {
            return Micros.at(india.select(TimeSource.database().now().written())
                    .fetchSingle()
                    .value1());
        }

        private DSLContext dsl(String zone) {
            var settings = address.settings(2);
            settings.setMinimumIdle(0);
            if (address.dialect() != SQLDialect.SQLITE) {
                settings.setConnectionInitSql(
                        (address.dialect() == SQLDialect.POSTGRES ? "set time zone '%s'" : "set time_zone = '%s'")
                                .formatted(zone));
            }
            var pool = new HikariDataSource(settings);
            opened.add(pool);
            return DSL.using(pool, address.dialect());
        }
    }
}
