package dev.dibs;

import dev.dibs.spi.Dialect;
import dev.dibs.spi.Listening;
import dev.dibs.spi.SignalKey;
import dev.dibs.table.QueueException;
import dev.dibs.wake.PendingWakes;
import dev.dibs.wake.Signal;
import dev.dibs.wake.WakeRegistry;
import dev.dibs.wake.WakeRegistry.Channel;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jooq.Configuration;
import org.jooq.DSLContext;

/**
 * Ends the wait for something that somebody writes to the database: in this process, and in others where the database has a
 * way. Immutable and safe for any thread; making one reaches no database.
 *
 * <p>A signal carries no value. Whoever waits looks before it waits and after it is woken, and each second besides, so that a
 * signal that is lost costs time and nothing else. Where the database has no way to tell other processes it looks more often
 * at first, and where notifications are heard each minute.
 */
public final class Signals {

    /** How long something that nobody signals is not seen at most, where signals do not surely arrive. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** So far away that nobody lives to see it, and safe to add to any time. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    private final DSLContext dsl;
    private final String name;
    private final WakeRegistry registry;
    private final Dialect dialect;

    Signals(DSLContext dsl, String name, Dialect dialect) {
        this.dsl = dsl;
        this.name = name;
        this.registry = WakeRegistry.of(dsl.configuration());
        this.dialect = dialect;
    }

    /**
     * Signals of a name, which those who signal and those who wait have in common.
     *
     * @param dsl as for a queue
     * @throws QueueException if the name is blank, or no dialect serves the database
     */
    public static Signals of(DSLContext dsl, String name) {
        if (name.isBlank()) {
            throw new QueueException(
                    "signals: their name is \"%s\"; give them a name that is not blank".formatted(name));
        }
        return new Signals(dsl, name, Dialect.of(dsl, "signals \"%s\"".formatted(name)));
    }

    /** Wakes all who wait for the key; to be called after the commit of what they look for. */
    public void signal(String key) {
        var signalled = key(key);
        signalHere(key);
        dialect.wakeups().signalled(dsl, signalled);
    }

    /** Wakes those of this process who wait for the key. */
    void signalHere(String key) {
        registry.wakeAll(channel(key));
    }

    /**
     * Wakes them when your transaction has committed, and not at all if it rolls back.
     *
     * @throws QueueException if nothing tells Dibs of the commit, as {@link dev.dibs.wake.WakeAfterCommit} would
     */
    public void signal(Configuration tx, String key) {
        key(key);
        PendingWakes.of(tx)
                .orElseThrow(() -> new QueueException(
                        "signals \"%s\": nothing tells of the commit of this transaction; set new WakeAfterCommit() in the Configuration that it is begun with, or signal \"%s\" after the commit without it"
                                .formatted(name, key)))
                .add(new Wake(this, key), System.nanoTime());
    }

    /**
     * Waits until a look finds something.
     *
     * @param look asks the database, on this thread; what it throws ends the wait
     * @param timeout zero for one look
     * @return what was found; empty if that was nothing until the timeout
     */
    public <R> Optional<R> await(String key, Supplier<Optional<R>> look, Duration timeout) throws InterruptedException {
        var pace = pace();
        pace.quicken();
        return await(key, look, pace, timeout);
    }

    /** How often to look for what nobody signals. */
    Pace pace() {
        return dialect.needsQuickPolls() ? Pace.adaptive(LOOK_AGAIN) : Pace.steady(LOOK_AGAIN);
    }

    /** The same at a pace that the look may quicken. */
    <R> Optional<R> await(String key, Supplier<Optional<R>> look, Pace pace, Duration timeout)
            throws InterruptedException {
        var end = System.nanoTime() + Math.min(LONGEST, TimeUnit.NANOSECONDS.convert(timeout));
        var signal = new Signal();
        try (var waiting = waiting(key(key), signal)) {
            while (true) {
                var started = System.nanoTime();
                var found = look.get();
                var left = Duration.ofNanos(end - System.nanoTime());
                if (found.isPresent() || left.isNegative() || left.isZero()) {
                    return found;
                }
                var wait = waiting.asleep(Optional.of(started), pace.afterNothing());
                try {
                    signal.await(wait.compareTo(left) < 0 ? wait : left);
                } finally {
                    waiting.awake();
                }
            }
        }
    }

    // By others each one is woken by itself: what wakes workers of a queue wakes one of them only.
    private Listening waiting(SignalKey key, Signal signal) {
        var alone = new Channel("signals " + name, key.key() + " " + UUID.randomUUID());
        var own = registry.subscribe(channel(key.key()), signal);
        var ownAlone = registry.subscribe(alone, signal);
        return ListeningToAll.of(
                () -> {
                    own.close();
                    ownAlone.close();
                },
                () -> dialect.wakeups().listen(dsl, key, registry.sleepers(alone)));
    }

    private Channel channel(String key) {
        return new Channel("signals " + name, key);
    }

    private SignalKey key(String key) {
        if (key.isEmpty()) {
            throw new QueueException(
                    "signals \"%s\": the key is empty; give one that names what was written".formatted(name));
        }
        return new SignalKey(name, key);
    }

    /** Equal for equal keys, so that a transaction signals each once. */
    private record Wake(Signals signals, String key) implements LongConsumer {

        @Override
        public void accept(long now) {
            signals.signal(key);
        }
    }
}
