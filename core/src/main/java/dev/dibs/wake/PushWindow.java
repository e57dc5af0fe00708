package dev.dibs.wake;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints on their way to other processes, and the thread that pushes them.
 *
 * <p>The first payload after a quiet time is pushed at once and opens a window. What comes within the window waits for
 * its end and is pushed then, all payloads of a channel together and equal ones once; that opens the next window. Without
 * a window each payload that waits is pushed at once and by itself.
 *
 * <p>Safe for any thread; adding waits for nobody. Pushes are hints, so one that fails is dropped: tried again, it would
 * hold up those behind it, and whoever missed it looks by itself later. While there is nothing to push, the thread waits
 * without a time limit.
 */
public final class PushWindow implements AutoCloseable {

    /** A server that is there answers far sooner, and one that is not must not hold up the end of a process. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Of one channel; beyond it the database is too slow, and memory is worth more than hints. */
    static final int MOST_WAITING = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(PushWindow.class);

    private final Duration window;
    private final Push push;
    private final Map<String, Batch> waiting = new LinkedHashMap<>();
    private final Signal arrival = new Signal();
    private final Signal closing = new Signal();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Channels whose last push failed; the thread's own. */
    private final Set<String> failing = new HashSet<>();

    private boolean closed;

    private PushWindow(Duration window, Push push) {
        this.window = window;
        this.push = push;
    }

    /**
     * Starts the thread.
     *
     * @param thread its name
     * @param window zero for none
     */
    public static PushWindow open(String thread, Duration window, Push push) {
        if (window.isNegative()) {
            throw new IllegalArgumentException(
                    "%s: the window is %s; it is a time, or zero for none".formatted(thread, window));
        }
        var opened = new PushWindow(window, push);
        var pushing = new Thread(opened::run, thread);
        pushing.setDaemon(true);
        pushing.start();
        return opened;
    }

    /** Has a payload pushed to a channel; after {@link #close} nothing happens. */
    public void add(String channel, String payload) {
        synchronized (waiting) {
            if (closed) {
                return;
            }
            waiting.computeIfAbsent(channel, key -> new Batch()).add(payload);
        }
        arrival.wake();
    }

    /** Ends the window, pushes what waits, and returns when that is done or the patience is over; may be closed twice. */
    public void close(Duration patience) {
        synchronized (waiting) {
            closed = true;
        }
        arrival.wake();
        closing.wake();
        if (!isEndedWithin(patience)) {
            LOG.warn(
                    "the last payloads were not pushed within {} and may be lost, so workers elsewhere find those"
                            + " messages at their next look; see whether the database answers",
                    patience);
        }
    }

    /** The same, with a patience that suits most. */
    @Override
    public void close() {
        close(PATIENCE);
    }

    private boolean isEndedWithin(Duration patience) {
        var end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
        var interrupted = false;
        try {
            while (true) {
                try {
                    return ended.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException kept) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        while (!isClosed()) {
            arrival.awaitUninterruptibly();
            while (flush() && !isClosed()) {
                closing.awaitUninterruptibly(window);
            }
        }
        flush();
        ended.countDown();
    }

    private boolean isClosed() {
        synchronized (waiting) {
            return closed;
        }
    }

    /** Whether there was anything to push. */
    private boolean flush() {
        var batches = drain();
        batches.forEach(this::pushBatch);
        return !batches.isEmpty();
    }

    private Map<String, Batch> drain() {
        synchronized (waiting) {
            var drained = new LinkedHashMap<>(waiting);
            waiting.clear();
            return drained;
        }
    }

    private void pushBatch(String channel, Batch batch) {
        if (batch.refused > 0) {
            LOG.warn(
                    "channel {}: {} payloads were dropped, for {} waited already; see why the database is slow to take them",
                    channel,
                    batch.refused,
                    MOST_WAITING);
        }
        if (window.isZero()) {
            batch.payloads.forEach(payload -> pushOrDrop(channel, List.of(payload)));
        } else {
            pushOrDrop(channel, batch.payloads);
        }
    }

    // Whatever is thrown, an error too: without the thread, payloads would pile up.
    private void pushOrDrop(String channel, Collection<String> payloads) {
        try {
            Thread.interrupted(); // means nothing here, and a pool would give no connection
            push.push(channel, payloads);
            if (failing.remove(channel)) {
                LOG.info("channel {}: payloads are pushed again", channel);
            }
        } catch (Throwable failed) {
            dropped(channel, payloads.size(), failed);
        }
    }

    private void dropped(String channel, int payloads, Throwable failed) {
        var text =
                "channel {}: {} payloads could not be pushed and are dropped, so workers elsewhere find those messages"
                        + " at their next look; see whether the database answers, and whether it takes these payloads";
        if (failing.add(channel)) {
            LOG.warn(text, channel, payloads, failed);
        } else {
            LOG.debug(text, channel, payloads, failed);
        }
    }

    /** How payloads reach those who listen to a channel. */
    @FunctionalInterface
    public interface Push {

        /** Pushes these payloads, one or more; called by one thread. */
        void push(String channel, Collection<String> payloads);
    }

    private static final class Batch {

        private final Set<String> payloads = new LinkedHashSet<>();
        private int refused;

        void add(String payload) {
            if (payloads.size() < MOST_WAITING) {
                payloads.add(payload);
            } else if (!payloads.contains(payload)) {
                refused++;
            }
        }
    }
}
