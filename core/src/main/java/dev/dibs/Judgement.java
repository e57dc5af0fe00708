package dev.dibs;

import dev.dibs.Result.Kind;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.DeadLetters;
import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a row, given a handler's outcome and the number of its deliveries. */
record Judgement(QueueRef queue, RetryPolicy policy) {

    private static final Logger LOG = LoggerFactory.getLogger(Judgement.class);

    /** Whether a row has had all its deliveries before this one, the last without an end. */
    boolean isSpent(int attempt) {
        return canBury() && policy.isSpent(attempt - 1);
    }

    /** The row's fate. */
    Fate of(Outcome outcome, int attempt) {
        if (outcome instanceof Outcome.Reject reject) {
            return canBury()
                    ? new Fate.Bury(reject.reason())
                    : new Fate.TryAgain(delayAfter(attempt, policy), reject.reason());
        }
        if (outcome instanceof Outcome.Retry retry) {
            var own = policy.of(retry.cause());
            return againOrSpent(attempt, retry.reason(), own, () -> delayAfter(attempt, own));
        }
        if (outcome instanceof Outcome.RetryIn retryIn) {
            return againOrSpent(attempt, "retry in %s".formatted(retryIn.delay()), policy, retryIn::delay);
        }
        return outcome instanceof Outcome.PassOn passOn
                ? new Fate.PassOn(passOn.delay())
                : new Fate.Leave(end(outcome));
    }

    private static Result end(Outcome outcome) {
        return outcome instanceof Outcome.Done done
                ? new Result(Kind.DONE, done.value())
                : new Result(Kind.DROPPED, Optional.empty());
    }

    private static Fate againOrSpent(int attempt, String error, RetryPolicy own, Supplier<Duration> delay) {
        return own.isSpent(attempt) ? new Fate.Bury(error) : new Fate.TryAgain(delay.get(), error);
    }

    // The policy may be the user's own code; a message is not to be stuck because of it.
    private Duration delayAfter(int attempt, RetryPolicy own) {
        try {
            var delay = own.delayAfter(attempt);
            Micros.of(delay);
            return delay;
        } catch (RuntimeException | Error unusable) {
            LOG.warn(
                    "{}: the retry policy gave no usable delay after {} deliveries; using the default",
                    queue,
                    attempt,
                    unusable);
            return RetryPolicy.ofDefaults().delayAfter(attempt);
        }
    }

    // Without a place for dead messages a rejected one stays, and is tried again.
    private boolean canBury() {
        return !(queue.table().destination() instanceof DeadLetters.Nowhere);
    }
}
