package dev.dibs.postgres;

import dev.dibs.wake.Announcement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the workers of a table may sleep long, because whoever inserts wakes them.
 *
 * <p>The table's trigger notifies on demand: it tries to take alone a lock that sleepers share, and notifies if it cannot. So a
 * sleeper takes these steps, in this order:
 *
 * <ol>
 *   <li>The listener's session takes the lock, shared.
 *   <li>After that, H is read: the transactions that hold a writer's lock on the table.
 *   <li>The worker looks, again and again, until a look that found nothing began after none of H held its lock any more.
 *   <li>It sleeps, and the session keeps the lock for as long as anyone does.
 * </ol>
 *
 * <p>No wake-up is lost. A transaction takes the writer's lock before its insert's trigger runs and lets go of it after its rows
 * are visible. If the trigger ran before step 1, the transaction held the writer's lock then, so by step 2 it has let go of
 * it or is one of H: the last look of step 3 sees its rows. If the trigger runs later it finds the lock taken, and the commit
 * notifies. While the lock is kept that stays true, so a worker that was awake meanwhile needs one look that finds nothing,
 * and none of the other steps. A writer that is slow costs looks, never messages.
 *
 * <p>A prepared transaction may go on under another name than the one that H knows it by, so while there is one nobody
 * sleeps long. A trigger that always notifies needs no lock: a look after the session has begun to listen is enough.
 *
 * <p>The lock is let go lazily: when all workers have been awake for a while, inserts are to cost nothing again. Safe for any
 * thread.
 */
final class SleepGate {

    /** Busy for so long, workers are taken to stay so. */
    static final Duration AWAKE_FOR_GOOD = Duration.ofSeconds(1);

    /** A busy worker's looks are not full ones; those cost more, so it takes one only when it is not woken for a while. */
    private static final Duration UNTIL_A_FULL_LOOK = Duration.ofSeconds(1);

    private static final String PREPARED = "-1/";

    private static final List<Duration> LOOK_AGAIN =
            List.of(Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(250), Duration.ofSeconds(1));

    private final Optional<Supplier<Set<String>>> writers;
    private final Duration longest;

    private Announcement announcement = Announcement.OFF;
    private boolean isWanted;
    private boolean isLocked;
    private int epoch;
    private @Nullable Set<String> before;
    private int looks;
    private @Nullable Long openSince;
    private int asleep;
    private long awakeSince;

    /**
     * A closed gate.
     *
     * @param writers reads the transactions that hold a writer's lock; empty where the server does not tell of all
     * @param longest how long a worker may sleep
     */
    SleepGate(Optional<Supplier<Set<String>>> writers, Duration longest) {
        this.writers = writers;
        this.longest = longest;
    }

    /** A session listens to the table, which announces its inserts so; nobody holds the lock yet. */
    synchronized void listening(Announcement by, long now) {
        shut();
        announcement = by;
        if (by == Announcement.ALWAYS) {
            openSince = now;
        }
    }

    /**
     * The session is gone, or listens no more.
     *
     * @return whether it has the lock, if it is there
     */
    synchronized boolean lost() {
        var hadLock = isLocked;
        shut();
        announcement = Announcement.OFF;
        return hadLock;
    }

    private void shut() {
        epoch++;
        isLocked = false;
        before = null;
        openSince = null;
    }

    /** Whether its workers, once they sleep, will want the lock that the session does not have. */
    synchronized boolean isToBeLocked() {
        return !isLocked && announcement == Announcement.ON_DEMAND && writers.isPresent();
    }

    /** Whether the session is to try for the lock. */
    synchronized boolean wantsLock() {
        return isWanted && isToBeLocked();
    }

    /** The session has it; those who are half asleep are to look. */
    synchronized void locked() {
        shut();
        isLocked = true;
    }

    /** Whether the session is to let go of the lock; from now on it is taken to have done so. */
    synchronized boolean isLetGo(long now) {
        if (!isLocked || asleep > 0 || now - awakeSince < AWAKE_FOR_GOOD.toNanos()) {
            return false;
        }
        shut();
        isWanted = false;
        return true;
    }

    /** See {@link dev.dibs.spi.Listening#asleep}. */
    Duration asleep(Optional<Long> lookedFullySince, Duration poll) {
        Attempt attempt;
        synchronized (this) {
            asleep++;
            isWanted = true;
            if (writers.isEmpty() || !isAnnounced()) {
                return poll;
            }
            if (lookedFullySince.isEmpty()) {
                return shorter(poll, UNTIL_A_FULL_LOOK);
            }
            if (openSince != null) {
                return lookedFullySince.get() - openSince > 0 ? longer(poll) : Duration.ZERO;
            }
            attempt = new Attempt(epoch, before == null);
        }
        return shorter(poll, open(attempt, writers.orElseThrow().get()));
    }

    private boolean isAnnounced() {
        return isLocked || announcement == Announcement.ALWAYS;
    }

    /** See {@link dev.dibs.spi.Listening#awake}. */
    synchronized void awake() {
        asleep--;
        awakeSince = System.nanoTime();
    }

    /** The next look, after a list of the writers. */
    private synchronized Duration open(Attempt attempt, Set<String> now) {
        if (attempt.epoch != epoch) {
            return Duration.ZERO;
        }
        if (attempt.isFirst || before == null) {
            before = new HashSet<>(now);
            looks = 0;
        } else {
            before.retainAll(now);
        }
        if (before.isEmpty() && !isAnyPrepared(now)) {
            openSince = System.nanoTime();
            return Duration.ZERO;
        }
        return LOOK_AGAIN.get(Math.min(looks++, LOOK_AGAIN.size() - 1));
    }

    private static boolean isAnyPrepared(Collection<String> transactions) {
        return transactions.stream().anyMatch(transaction -> transaction.startsWith(PREPARED));
    }

    private Duration longer(Duration poll) {
        return poll.compareTo(longest) < 0 ? longest : poll;
    }

    private static Duration shorter(Duration poll, Duration wait) {
        return poll.compareTo(wait) < 0 ? poll : wait;
    }

    /** One list of the writers, read while the gate was as it was then. */
    private record Attempt(int epoch, boolean isFirst) {}
}
