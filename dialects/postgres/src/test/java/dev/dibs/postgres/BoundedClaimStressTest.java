package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.field;

import dev.dibs.postgres.ConfirmedBound.Look;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.Field;
import org.jooq.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Writers whose transactions are short and long, and two claimers with bounds of their own.
 *
 * <p>What a full look finds below the bound of its claimer must be there for one of the reasons that are left to full
 * looks: another one gave it back, or a claimer ended while it held it.
 */
final class BoundedClaimStressTest {

    private static final int WRITERS = 8;
    private static final int TRANSACTIONS = 40;
    private static final int PRIORITIES = 4;
    private static final int MOST_ROWS = 40;

    private static final ClaimKeys KEYS = new ClaimKeys(Jobs.queue());

    private static final Duration BETWEEN_FULL_LOOKS = Duration.ofMillis(150);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Jobs jobs = Jobs.create(WRITERS + 8);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<String> committed = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> handled = new ConcurrentHashMap<>();
    private final Set<Object> leftToFullLooks = ConcurrentHashMap.newKeySet();
    private final Set<Object> foundTooLate = ConcurrentHashMap.newKeySet();
    private final AtomicInteger foundBehindOthers = new AtomicInteger();
    private final AtomicInteger foundBelowABound = new AtomicInteger();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @AfterEach
    void close() {
        isOver.set(true);
        threads.shutdownNow();
        jobs.close();
    }

    @Test
    void everyMessageIsHandledOnceAndNoLateCommitWaitsForAFullLook() throws Exception {
        var claimers = List.of(new Claimer(new Random(1)), new Claimer(new Random(2)));
        var claiming = new ArrayList<Future<?>>();
        for (var claimer : claimers) {
            claiming.add(threads.submit(claimer::work));
            claiming.add(threads.submit(claimer::look));
        }
        for (var writing : threads.invokeAll(
                IntStream.range(0, WRITERS).mapToObj(this::writer).toList())) {
            writing.get();
        }
        awaitEmpty();
        isOver.set(true);
        for (var work : claiming) {
            work.get();
        }

        assertThat(handled.keySet()).isEqualTo(committed);
        assertThat(handled.values()).containsOnly(1);
        assertThat(foundTooLate)
                .as("of %s rows that were found below a bound", foundBelowABound)
                .isEmpty();
        assertThat(foundBehindOthers)
                .as("rows that were claimed after others with later keys")
                .hasPositiveValue();
        assertThat(claimers).allMatch(Claimer::hasBounds);
    }

    private Callable<Void> writer(int number) {
        return () -> {
            var random = new Random(100L + number);
            for (int transaction = 0; transaction < TRANSACTIONS; transaction++) {
                write("%d.%d".formatted(number, transaction), random);
            }
            return null;
        };
    }

    private void write(String name, Random random) {
        var bodies = IntStream.rangeClosed(1, 1 + random.nextInt(20))
                .mapToObj(row -> name + "." + row)
                .toList();
        try (var open = JdbcTransaction.ofDriver().open(jobs.dsl())) {
            for (var body : bodies) {
                open.dsl().execute("insert into jobs (body, priority) values (?, ?)", body, random.nextInt(PRIORITIES));
            }
            open.dsl().execute("select pg_sleep(?)", secondsBeforeItEnds(random));
            if (random.nextInt(10) > 0) {
                open.commit();
                committed.addAll(bodies);
            }
        }
    }

    private static double secondsBeforeItEnds(Random random) {
        return switch (random.nextInt(30)) {
            case 0 -> 3 * random.nextDouble();
            case 1, 2, 3, 4, 5 -> 0.1 * random.nextDouble();
            default -> 0;
        };
    }

    private void awaitEmpty() throws InterruptedException {
        var pause = new Signal();
        for (long waited = 0; jobs.dsl().fetchCount(Jobs.TABLE) > 0; waited++) {
            assertThat(waited).as("tenths of a second").isLessThan(PATIENCE.toMillis() / 100);
            pause.await(Duration.ofMillis(100));
        }
    }

    /** One instance: a loop that claims and handles, and full looks beside it. */
    private final class Claimer {

        private final Random random;
        private final AtomicBoolean hadBounds = new AtomicBoolean();
        private volatile ConfirmedBound bound = new ConfirmedBound(1);
        private volatile BoundedClaim claim = claim(bound);

        Claimer(Random random) {
            this.random = random;
        }

        boolean hasBounds() {
            return hadBounds.get();
        }

        void work() {
            Key highest = new Key(0, 0, 0L);
            while (!isOver.get()) {
                if (random.nextInt(150) == 0) {
                    bound = new ConfirmedBound(1);
                    claim = claim(bound);
                }
                var claimed = claim.claim(jobs.request(Jobs.queue(), 1 + random.nextInt(MOST_ROWS)));
                for (var key : keys(claimed.map(Claimed::rows).orElseGet(List::of))) {
                    if (key.due() < highest.due()) {
                        foundBehindOthers.incrementAndGet();
                    }
                    highest = key.due() > highest.due() ? key : highest;
                }
                claimed.ifPresent(this::handle);
                hadBounds.compareAndSet(false, !bound.look().from().isEmpty());
            }
        }

        Void look() throws InterruptedException {
            var pause = new Signal();
            while (!isOver.get()) {
                pause.await(BETWEEN_FULL_LOOKS);
                var before = bound.look();
                var claimed = claim.claim(jobs.request(Jobs.queue(), MOST_ROWS).full());
                claimed.ifPresent(found -> judge(before, found.rows()));
                claimed.ifPresent(this::handle);
            }
            return null;
        }

        private void judge(Look before, List<Record> rows) {
            for (var row : rows) {
                var key = keys(List.of(row)).get(0);
                var passed = before.from().get(key.priority());
                if (passed != null && key.compareTo(passed) < 0) {
                    foundBelowABound.incrementAndGet();
                    if (!leftToFullLooks.contains(key.id())) {
                        foundTooLate.add(key);
                    }
                }
            }
        }

        private void handle(Claimed claimed) {
            if (random.nextInt(100) == 0) {
                claimed.rows().forEach(row -> leaveBehind(claimed, row));
                return;
            }
            var givenBack = new ArrayList<Record>();
            for (var row : claimed.rows()) {
                switch (random.nextInt(12)) {
                    case 0 -> tryAgain(claimed, row, Duration.ZERO);
                    case 1 -> tryAgain(claimed, row, Duration.ofMillis(20));
                    case 2 -> {
                        giveBack(claimed, row);
                        givenBack.add(row);
                    }
                    default -> finish(claimed, row);
                }
            }
            claim.lookAgain(givenBack);
        }
    }

    // As if the process had ended and its lease since then.
    private void leaveBehind(Claimed claimed, Record row) {
        leftToFullLooks.add(row.get(Jobs.ID));
        update(claimed, row, Map.of(Jobs.HELD_UNTIL, 1));
    }

    private void tryAgain(Claimed claimed, Record row, Duration delay) {
        var due = field(Jobs.CLOCK, Long.class).plus(delay.toMillis() * 1_000);
        update(claimed, row, Map.of(Jobs.HELD_UNTIL, castNull(Jobs.HELD_UNTIL), Jobs.DUE, due));
    }

    private void giveBack(Claimed claimed, Record row) {
        leftToFullLooks.add(row.get(Jobs.ID));
        update(claimed, row, Map.of(Jobs.HELD_UNTIL, castNull(Jobs.HELD_UNTIL), Jobs.TRIES, Jobs.TRIES.minus(1)));
    }

    private void update(Claimed claimed, Record row, Map<Field<?>, Object> changes) {
        var written = jobs.dsl()
                .update(Jobs.TABLE)
                .set(changes)
                .where(Jobs.ID.eq(row.get(Jobs.ID)))
                .and(claimed.hold().guard(List.of(row)))
                .execute();
        assertThat(written).isEqualTo(1);
    }

    private void finish(Claimed claimed, Record row) {
        var written = jobs.dsl()
                .deleteFrom(Jobs.TABLE)
                .where(Jobs.ID.eq(row.get(Jobs.ID)))
                .and(claimed.hold().guard(List.of(row)))
                .execute();
        assertThat(written).isEqualTo(1);
        handled.merge(Jobs.bodies(List.of(row)).get(0), 1, Integer::sum);
    }

    private static List<Key> keys(List<Record> rows) {
        return rows.stream().map(KEYS::of).toList();
    }

    private static BoundedClaim claim(ConfirmedBound bound) {
        return new BoundedClaim(
                new PostgresLeaseClaim(JdbcTransaction.ofDriver()), KEYS, new TableWriters(Jobs.queue())::now, bound);
    }
}
