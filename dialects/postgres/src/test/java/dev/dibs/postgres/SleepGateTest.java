package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.TableChannel;
import dev.dibs.wake.Announcement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a worker may sleep long, and that no row is lost for that, wherever another transaction comes between the steps. */
@Timeout(120)
final class SleepGateTest {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int STEPS = 12;

    private final AtomicInteger lists = new AtomicInteger();

    @Test
    void aWorkerSleepsLongAfterALookThatBeganWhenNobodyWroteAnyMore() {
        var gate = locked(Set::of);

        assertThat(gate.asleep(now(), POLL)).isZero();
        assertThat(gate.asleep(now(), POLL)).isEqualTo(LONG);
    }

    @Test
    void aLookThatBeganBeforeIsNotEnough() {
        var gate = locked(Set::of);
        var before = now();
        gate.asleep(now(), POLL);

        assertThat(gate.asleep(before, POLL)).isZero();
    }

    @Test
    void aLookThatWasNotAFullOneIsFollowedByOne() {
        var gate = locked(Set::of);
        gate.asleep(now(), LONG);

        assertThat(gate.asleep(Optional.empty(), LONG)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void whileAnyWriterOfTheFirstListIsThereWorkersLookAgainAndAgain() {
        var gate = locked(() -> Set.of("3/1", lists.incrementAndGet() + "/7"));

        assertThat(List.of(
                        gate.asleep(now(), LONG),
                        gate.asleep(now(), LONG),
                        gate.asleep(now(), LONG),
                        gate.asleep(now(), LONG),
                        gate.asleep(now(), LONG)))
                .extracting(Duration::toMillis)
                .containsExactly(10L, 50L, 250L, 1_000L, 1_000L);
    }

    @Test
    void writersThatCameLaterKeepNobodyAwake() {
        var gate = locked(() -> Set.of(lists.incrementAndGet() + "/7"));

        gate.asleep(now(), POLL);
        gate.asleep(now(), POLL);

        assertThat(gate.asleep(now(), POLL)).isEqualTo(LONG);
    }

    @Test
    void aPreparedTransactionKeepsWorkersAwake() {
        var gate = locked(() -> Set.of("-1/" + lists.incrementAndGet()));

        gate.asleep(now(), POLL);
        gate.asleep(now(), POLL);

        assertThat(gate.asleep(now(), POLL)).isLessThanOrEqualTo(POLL);
    }

    @Test
    void withoutTheLockAWorkerPolls() {
        var gate = gate(Set::of);
        gate.listening(Announcement.ON_DEMAND, System.nanoTime());

        assertThat(gate.asleep(now(), POLL)).isEqualTo(POLL);
        assertThat(gate.wantsLock()).isTrue();
    }

    @Test
    void aTableThatAnnouncesNothingIsPolled() {
        var gate = gate(Set::of);
        gate.listening(Announcement.OFF, System.nanoTime());

        assertThat(gate.asleep(now(), POLL)).isEqualTo(POLL);
        assertThat(gate.wantsLock()).isFalse();
    }

    @Test
    void aTableThatAlwaysAnnouncesNeedsNoLock() {
        var gate = gate(Set::of);
        gate.listening(Announcement.ALWAYS, System.nanoTime());

        assertThat(gate.asleep(now(), POLL)).isEqualTo(LONG);
        assertThat(gate.wantsLock()).isFalse();
    }

    @Test
    void aTableWhoseWritersTheServerDoesNotListIsPolled() {
        var gate = new SleepGate(Optional.empty(), LONG);
        gate.listening(Announcement.ON_DEMAND, System.nanoTime());
        gate.locked();
        assertThat(gate.asleep(now(), POLL)).isEqualTo(POLL);

        gate.listening(Announcement.ALWAYS, System.nanoTime());
        assertThat(gate.asleep(now(), POLL)).isEqualTo(POLL);
    }

    @Test
    void afterTheSessionWasLostTheStepsBeginAnew() {
        var gate = locked(Set::of);
        gate.asleep(now(), POLL);
        gate.asleep(now(), POLL);

        assertThat(gate.lost()).isTrue();

        assertThat(gate.asleep(now(), POLL)).isEqualTo(POLL);
        gate.listening(Announcement.ON_DEMAND, System.nanoTime());
        gate.locked();
        assertThat(gate.asleep(now(), POLL)).isZero();
    }

    @Test
    void theLockIsKeptWhileOneSleeps() {
        var gate = locked(Set::of);
        gate.asleep(now(), POLL);
        gate.asleep(now(), POLL);
        gate.awake();

        assertThat(gate.isLetGo(System.nanoTime() + LONG.toNanos())).isFalse();
    }

    @Test
    void theLockIsLetGoWhenAllHaveBeenAwakeForAWhile() {
        var gate = locked(Set::of);
        gate.asleep(now(), POLL);
        gate.awake();

        assertThat(gate.isLetGo(System.nanoTime())).isFalse();
        assertThat(gate.isLetGo(System.nanoTime() + SleepGate.AWAKE_FOR_GOOD.toNanos()))
                .isTrue();
        assertThat(gate.asleep(now(), POLL)).isEqualTo(POLL);
    }

    private static Optional<Long> now() {
        return Optional.of(System.nanoTime());
    }

    private static SleepGate gate(Supplier<Set<String>> writers) {
        return new SleepGate(Optional.of(writers), LONG);
    }

    private static SleepGate locked(Supplier<Set<String>> writers) {
        var gate = gate(writers);
        gate.listening(Announcement.ON_DEMAND, System.nanoTime());
        gate.locked();
        return gate;
    }

    /** A sleeper and a writer of a real table that announces on demand, step by step. */
    @Nested
    final class StepByStep {

        private Jobs jobs;
        private TableChannel channel;
        private Ear ear;

        @BeforeEach
        void create() throws SQLException {
            jobs = Jobs.create(4);
            channel = TableChannel.of(jobs.dsl(), Jobs.TABLE);
            jobs.dsl().execute("""
                            create function tell() returns trigger language plpgsql as $$ begin
                              if (case when pg_try_advisory_lock(%1$d) then not pg_advisory_unlock(%1$d) else true end)
                                then perform pg_notify('told', ''); end if;
                              return null;
                            end $$""".formatted(channel.sleepLock()));
            jobs.dsl().execute("create trigger tell after insert on jobs for each statement execute function tell()");
        }

        @AfterEach
        void close() {
            jobs.close();
        }

        @Test
        void noRowIsLostWhereverAnotherTransactionBeginsAndEnds() throws SQLException {
            assertThat(lost(false)).isEmpty();
        }

        @Test
        void aListOfTheWritersThatIsReadBeforeTheLockIsTakenLosesRows() throws SQLException {
            assertThat(lost(true)).isNotEmpty();
        }

        private List<String> lost(boolean isListReadFirst) throws SQLException {
            var lost = new ArrayList<String>();
            for (int begin = 0; begin < STEPS; begin++) {
                for (int end = begin; end <= STEPS; end++) {
                    if (isLost(begin, end, isListReadFirst)) {
                        lost.add("%d to %d".formatted(begin, end));
                    }
                }
            }
            return lost;
        }

        private boolean isLost(int begin, int end, boolean isListReadFirst) throws SQLException {
            try (var writer = new Writer(jobs.pool().getConnection(), begin, end);
                    var listening = jobs.pool().getConnection()) {
                ear = Ear.at(jobs.address(), "told");
                writer.step();
                var early = writers();
                writer.step();
                var gate = locked(() -> {
                    writer.step();
                    var list = isListReadFirst && lists.getAndIncrement() == 0 ? early : writers();
                    writer.step();
                    return list;
                });
                lists.set(0);
                call(listening, "pg_try_advisory_lock_shared");
                writer.step();
                var found = looksUntilItSleeps(gate, writer);
                writer.end();
                var isTold = !ear.heard().isEmpty();
                call(listening, "pg_advisory_unlock_shared");
                return !found && !isTold;
            } finally {
                ear.close();
                jobs.dsl().execute("delete from jobs");
            }
        }

        private boolean looksUntilItSleeps(SleepGate gate, Writer writer) throws SQLException {
            while (true) {
                var started = now();
                if (jobs.dsl().fetchExists(Jobs.TABLE)) {
                    return true;
                }
                writer.step();
                if (gate.asleep(started, POLL).equals(LONG)) {
                    return false;
                }
            }
        }

        private Set<String> writers() {
            return new TableWriters(Jobs.queue()).now(jobs.dsl());
        }

        private void call(Connection connection, String function) throws SQLException {
            try (var statement = connection.createStatement()) {
                statement.execute("select %s(%d)".formatted(function, channel.sleepLock()));
            }
        }
    }

    /** Inserts at one step, and commits at another. */
    private static final class Writer implements AutoCloseable {

        private final Connection connection;
        private final int begin;
        private final int end;
        private int step;

        Writer(Connection connection, int begin, int end) throws SQLException {
            this.connection = connection;
            this.begin = begin;
            this.end = end;
            connection.setAutoCommit(false);
        }

        void step() {
            try {
                if (step == begin) {
                    insert();
                }
                if (step == end) {
                    connection.commit();
                }
                step++;
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }

        void end() throws SQLException {
            if (step <= begin) {
                insert();
            }
            connection.commit();
        }

        private void insert() throws SQLException {
            try (var statement = connection.createStatement()) {
                statement.execute("insert into jobs (body) values ('a job')");
            }
        }

        @Override
        public void close() throws SQLException {
            connection.rollback();
            connection.setAutoCommit(true);
            connection.close();
        }
    }
}
