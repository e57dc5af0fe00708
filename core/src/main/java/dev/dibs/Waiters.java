package dev.dibs;

import dev.dibs.spi.QueueRef;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those of this process who await messages of a queue, and the one thread that looks for all of them, as long as there are
 * any. Safe for any thread.
 *
 * <p>Results are signalled by the queue and not by the message, so that many of them are one signal, and one look is for all
 * that are awaited.
 */
final class Waiters {

    private static final Logger LOG = LoggerFactory.getLogger(Waiters.class);

    /** So long that nobody lives to see it. */
    private static final Duration FOREVER = Duration.ofDays(10_000);

    private final QueueRef queue;
    private final Signals signals;
    private final Function<List<Object>, Map<Object, Result>> look;
    private final Map<Object, List<Consumer<Result>>> waiting = new HashMap<>(); // guarded by this
    private boolean hasNewcomers; // guarded by this
    private boolean isLooking; // guarded by this

    /**
     * Nobody yet.
     *
     * @param signals wakes the thread, by the queue's name
     * @param look finds the results of those messages that have ended
     */
    Waiters(QueueRef queue, Signals signals, Function<List<Object>, Map<Object, Result>> look) {
        this.queue = queue;
        this.signals = signals;
        this.look = look;
    }

    /** Has the waiter told of a message's result, once; it is called on the one thread, so it holds up nothing. */
    void add(Object id, Consumer<Result> waiter) {
        synchronized (this) {
            if (!isLooking) {
                start(); // if that fails, nothing is changed
                isLooking = true;
            }
            waiting.computeIfAbsent(id, key -> new ArrayList<>()).add(waiter);
            hasNewcomers = true;
        }
        signals.signalHere(queue.name());
    }

    /** It waits no longer. */
    void remove(Object id, Consumer<Result> waiter) {
        synchronized (this) {
            var others = waiting.get(id);
            if (others == null || !others.remove(waiter) || !others.isEmpty()) {
                return;
            }
            waiting.remove(id);
            if (!waiting.isEmpty()) {
                return;
            }
        }
        signals.signalHere(queue.name()); // the thread ends
    }

    private void start() {
        var thread = new Thread(new Looking(signals.pace()), "queue-%s-await".formatted(queue.name()));
        thread.setDaemon(true);
        thread.start();
    }

    private synchronized List<Object> awaited() {
        return List.copyOf(waiting.keySet());
    }

    private synchronized boolean greetNewcomers() {
        var came = hasNewcomers;
        hasNewcomers = false;
        return came;
    }

    private synchronized boolean isOver() {
        isLooking = !waiting.isEmpty();
        return !isLooking;
    }

    private synchronized List<Consumer<Result>> leaving(Object id) {
        var leaving = waiting.remove(id);
        return leaving == null ? List.of() : leaving;
    }

    /** The thread's work. */
    private final class Looking implements Runnable {

        private final Pace pace;
        private final Backoff backoff = new Backoff();
        private final Signal patience = new Signal();
        private boolean isAway;

        Looking(Pace pace) {
            this.pace = pace;
        }

        @Override
        public void run() {
            while (!isOver()) {
                try {
                    signals.await(queue.name(), this::foundAll, pace, FOREVER);
                } catch (InterruptedException meaningless) {
                    LOG.debug("{}: the thread that looks for results was interrupted, and goes on", queue);
                } catch (RuntimeException | Error failed) { // nothing ends it but that nobody waits
                    away(failed);
                    patience.awaitUninterruptibly(backoff.next());
                }
            }
        }

        // Something, when nobody waits any more.
        private Optional<Boolean> foundAll() {
            if (greetNewcomers()) {
                pace.quicken();
            }
            var ids = awaited();
            if (!ids.isEmpty()) {
                look.apply(ids).forEach((id, result) -> leaving(id).forEach(waiter -> waiter.accept(result)));
                back();
            }
            return Optional.of(true).filter(over -> awaited().isEmpty());
        }

        private void away(Throwable failed) {
            if (!isAway) {
                LOG.warn("{}: results cannot be looked for, and are awaited until they can", queue, failed);
            }
            isAway = true;
        }

        private void back() {
            if (isAway) {
                LOG.info("{}: results can be looked for again", queue);
            }
            isAway = false;
            backoff.reset();
        }
    }
}
