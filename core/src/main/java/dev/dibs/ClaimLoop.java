package dev.dibs;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
        var room = work.slots().awaitRoom();
        if (closed) {
            return;
        }
        if (unsettled) {
            unsettled = false;
            signal.await(jittered(PAUSE_AFTER_FAILURE));
        }
        try {
            var asked = (int) Math.min((long) room * work.batchSize(), request.limit());
            var claimed = claimed(asked);
            startAll(claimed.map(rows -> rows.split(work.batchSize())).orElse(List.of()));
            if (claimed.map(rows -> rows.rows().size()).orElse(0) < asked) {
                signal.await(jittered(pollInterval));
            }
        } catch (RuntimeException | Error failure) { // nothing ends the loop but its close
            failed(failure);
            signal.await(jittered(PAUSE_AFTER_FAILURE));
        }
    }

    private Optional<Claimed> claimed(int limit) {
        var claimed = claim.claim(request.limit(limit));
        if (failing) {
            failing = false;
            LOG.info("{}: claims work again", request.queue());
        }
        var rows = claimed.map(found -> found.rows().size()).orElse(0);
        work.events().tell(listener -> listener.claimed(request.queue().name(), rows));
        return claimed;
    }

    // Each batch is started or given back, whatever happens to its neighbours.
    private void startAll(List<Claimed> batches) {
        RuntimeException first = null;
        for (var batch : batches) {
            try {
                start(batch);
            } catch (RuntimeException | Error noThread) {
                first = new IllegalStateException("a claimed message found no thread and was given back", noThread);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void start(Claimed batch) {
        if (closed) {
            work.settlement().giveBack(batch);
            return;
        }
        try {
            work.slots().run(() -> handle(batch));
        } catch (RuntimeException | Error noThread) {
            work.settlement().giveBack(batch);
            throw noThread;
        }
    }

    private void handle(Claimed batch) {
        var settled = false;
        try {
            settled = work.handling().handle(batch);
        } catch (RuntimeException | Error unforeseen) {
            LOG.error(
                    "{}: messages could not be settled and come back when their hold ends",
                    request.queue(),
                    unforeseen);
            batch.hold().close();
        }
        if (!settled) {
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

    /** What is done with claimed rows, in batches of at most that many. */
    record Work(Slots slots, int batchSize, Handling<?> handling, Settlement settlement, EventSink events) {}
}
