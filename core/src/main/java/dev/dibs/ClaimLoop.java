package dev.dibs;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.Listening;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Claims as many rows as there is room for, again and again, and waits where there are none. One thread runs it. */
final class ClaimLoop implements Runnable {

    private static final Duration LOOKED_JUST_NOW = Duration.ofMillis(500);

    private final Claim claim;
    private final ClaimRequest request;
    private final Waits waits;
    private final Intake intake;
    private final Watch watch;
    private final Again again;
    private final Backoff backoff = new Backoff();
    private final Signal signal = new Signal();
    private final Signal end = new Signal();
    private volatile Listening listening = () -> {};
    private final FullLooks looks;
    private volatile boolean closed;
    private volatile boolean pauseIsDue;
    private volatile long lookedFully = System.nanoTime();
    private volatile boolean isAsleep;
    private volatile boolean hasLookedInItsSleep;
    private boolean isIdle = true;

    ClaimLoop(Claim claim, ClaimRequest request, Waits waits, Intake intake, Watch watch) {
        this.claim = claim;
        this.request = request;
        this.waits = waits;
        this.intake = intake;
        this.watch = watch;
        this.again = new Again(request.queue());
        this.looks = new FullLooks(request.lease(), this::lookFully);
    }

    /** Looks beside the loop, where its claims need them. */
    Optional<FullLooks> looks() {
        return claim.needsFullLooks() ? Optional.of(looks) : Optional.empty();
    }

    /** Has the loop's waits end early when there may be messages, until it is closed; before it runs. */
    void listen(Function<Signal, Listening> wakeups) {
        listening = wakeups.apply(signal);
    }

    Listening listening() {
        return listening;
    }

    /** Has the loop wait before its next claim: rows came back as they were, and would at once again. */
    void pause() {
        pauseIsDue = true;
    }

    /** Ends the loop after the turn under way. */
    void close() {
        closed = true;
        listening.close();
        signal.wake();
        end.wake();
        looks.close();
        intake.close();
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
        var room = intake.awaitRoom();
        if (closed) {
            return;
        }
        if (pauseIsDue) {
            pauseIsDue = false;
            end.await(backoff.next());
        }
        try {
            var asked = request.limit(Math.min(room, request.limit()));
            var wasFull = isIdle;
            var started = System.nanoTime();
            var claimed = claimed(wasFull ? full(asked) : asked);
            if (isIdle && claimed.isPresent()) {
                waits.pace().quicken();
            }
            claimed.ifPresent(intake::take);
            backoff.reset();
            isIdle = claimed.isEmpty() && sleep(wasFull ? Optional.of(started) : Optional.empty());
        } catch (RuntimeException | Error failure) { // nothing ends the loop but its close
            failed(failure);
            end.await(backoff.next()); // what wakes it is remembered, but tells nothing of what went wrong
        }
    }

    // Whether nobody woke it.
    private boolean sleep(Optional<Long> lookedFullySince) throws InterruptedException {
        waits.upkeep().run();
        var pace = waits.pace().afterNothing();
        hasLookedInItsSleep = lookedFullySince.isPresent();
        isAsleep = true;
        try {
            return !signal.await(waits.until(listening.asleep(lookedFullySince, pace)));
        } finally {
            listening.awake();
            isAsleep = false;
        }
    }

    private ClaimRequest full(ClaimRequest asked) {
        lookedFully = System.nanoTime();
        return asked.full();
    }

    private Duration lookFully() {
        var started = System.nanoTime();
        var room = intake.roomForALook();
        var quiet = isAsleep && hasLookedInItsSleep ? looks.longest() : LOOKED_JUST_NOW;
        if (room == 0 || started - lookedFully < quiet.toNanos()) {
            return Duration.ZERO;
        }
        try {
            var claimed = claimed(full(request.limit(room)));
            hasLookedInItsSleep = claimed.isEmpty();
            if (claimed.isPresent()) {
                intake.take(claimed.get());
                signal.wake(); // the loop, so that no message counts on it that it may have no room for now
            }
        } catch (RuntimeException | Error failure) {
            failed(failure);
        }
        var took = Duration.ofNanos(System.nanoTime() - started);
        if (looks.isTooSlow(took)) {
            watch.events()
                    .tell(listener -> listener.fullLookIsSlow(request.queue().name(), took));
        }
        return took;
    }

    /** Another claim beside the loop's own, by a handler that is through; empty if it fails, which the loop will see. */
    Optional<Claimed> claimMore() {
        try {
            return claimed(request);
        } catch (RuntimeException | Error failure) {
            failed(failure);
            return Optional.empty();
        }
    }

    private Optional<Claimed> claimed(ClaimRequest asked) {
        var claimed = again.run(() -> claim.claim(asked));
        watch.health().claims();
        var rows = claimed.map(found -> found.rows().size()).orElse(0);
        watch.events().tell(listener -> listener.claimed(request.queue().name(), rows));
        if (rows == asked.limit()) { // there may be more than this worker can take
            watch.wakeAnother().run();
        }
        return claimed;
    }

    private void failed(Throwable failure) {
        claim.reset();
        watch.health().doesNotClaim(failure);
        watch.events().tell(listener -> listener.claimFailed(request.queue().name(), failure));
        watch.wakeAnother().run(); // another worker may have been left asleep for this one
    }

    /**
     * How long the loop waits for a wake-up before it looks again.
     *
     * @param upkeep what it does first
     */
    record Waits(Pace pace, NextReady nextReady, Runnable upkeep) {

        /** Nobody minds that a message waits so long, and looking ahead costs as much as looking. */
        private static final Duration SOON = Duration.ofMillis(50);

        Duration until(Duration wait) {
            return wait.compareTo(SOON) <= 0
                    ? wait
                    : nextReady
                            .after()
                            .filter(ready -> ready.compareTo(wait) < 0)
                            .orElse(wait);
        }
    }

    /**
     * Who is told how the claims go.
     *
     * @param wakeAnother wakes another worker that sleeps, if there is one
     */
    record Watch(Health health, EventSink events, Runnable wakeAnother) {}
}
