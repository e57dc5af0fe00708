package dev.dibs;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims as many rows as there is room for, again and again, and waits where there are fewer. One thread runs it. */
final class ClaimLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimLoop.class);

    /** How long a worker waits after a claim that failed: short enough to be back soon, long enough to not spin. */
    static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    /** Waits are cut by up to this part at random, so that instances do not look in step. */
    private static final double JITTER = 0.2;

    private static final String SPENT =
            "all deliveries were spent, the last one without an end: its process died, or its lease ran out";

    private final Claim claim;
    private final ClaimRequest request;
    private final Duration pollInterval;
    private final Work work;
    private final Signal signal = new Signal();
    private volatile boolean closed;
    private volatile boolean unsettled;
    private boolean failing;

    ClaimLoop(Claim claim, ClaimRequest request, Duration pollInterval, Work work) {
        this.claim = claim;
        this.request = request;
        this.pollInterval = pollInterval;
        this.work = work;
    }

    /** What ends the loop's waits early. */
    Signal signal() {
        return signal;
    }

    /** Ends the loop after the turn under way. */
    void close() {
        closed = true;
        signal.wake();
        work.slots().stopWaiting();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                turn();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void turn() throws InterruptedException {
        var room = Math.min(work.slots().awaitRoom(), request.limit());
        if (closed) {
            return;
        }
        if (unsettled) {
            unsettled = false;
            signal.await(jittered(PAUSE_AFTER_FAILURE));
        }
        try {
            var rows = claimed(room);
            startAll(rows);
            if (rows.size() < room) {
                signal.await(jittered(pollInterval));
            }
        } catch (RuntimeException | Error failure) { // nothing ends the loop but its close
            failed(failure);
            signal.await(jittered(PAUSE_AFTER_FAILURE));
        }
    }

    private List<Claimed> claimed(int room) {
        var rows = claim.claim(request.limit(room));
        if (failing) {
            failing = false;
            LOG.info("{}: claims work again", request.queue());
        }
        work.events().tell(listener -> listener.claimed(request.queue().name(), rows.size()));
        return rows;
    }

    // Each row is started or given back, whatever happens to its neighbours.
    private void startAll(List<Claimed> rows) {
        RuntimeException first = null;
        for (var row : rows) {
            try {
                start(row);
            } catch (RuntimeException | Error noThread) {
                first = new IllegalStateException("a claimed message found no thread and was given back", noThread);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void start(Claimed row) {
        if (closed) {
            work.settlement().giveBack(row);
            return;
        }
        try {
            work.slots().run(() -> handle(row));
        } catch (RuntimeException | Error noThread) {
            work.settlement().giveBack(row);
            throw noThread;
        }
    }

    private void handle(Claimed row) {
        var started = System.nanoTime();
        var outcome = work.settlement().isSpent(row)
                ? Outcome.reject(SPENT)
                : work.handling().outcomeOf(row);
        if (!work.settlement().settle(row, outcome, Duration.ofNanos(System.nanoTime() - started))) {
            unsettled = true; // a row lock lets the row come back at once: without a pause it would spin
        }
    }

    private void failed(Throwable failure) {
        if (!failing) {
            failing = true;
            LOG.warn("{}: a claim failed; trying again until it works", request.queue(), failure);
        }
        work.events().tell(listener -> listener.claimFailed(request.queue().name(), failure));
    }

    private static Duration jittered(Duration wait) {
        var factor = 1 - JITTER * ThreadLocalRandom.current().nextDouble();
        return Duration.ofNanos((long) (wait.toNanos() * factor));
    }

    /** What is done with a claimed row. */
    record Work(Slots slots, Handling<?> handling, Settlement settlement, EventSink events) {}
}
