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

    private final Claim claim;
    private final ClaimRequest request;
    private final Duration pollInterval;
    private final Work work;
    private final Signal signal = new Signal();
    private volatile boolean closed;
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
        try {
            var rows = claimed(room);
            rows.forEach(this::start);
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

    private void start(Claimed row) {
        if (closed) {
            work.settlement().giveBack(row);
            return;
        }
        work.slots().run(() -> {
            var started = System.nanoTime();
            var outcome = work.handling().outcomeOf(row);
            work.settlement().settle(row, outcome, Duration.ofNanos(System.nanoTime() - started));
        });
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
