package dev.dibs;

import dev.dibs.Fate.Settling;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.LostException;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import dev.dibs.table.DeadLetters;
import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what becomes of a claimed row, writes it, and says so. Safe for any thread. */
final class Settlement {

    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    private final QueueRef queue;
    private final RowColumns<?> columns;
    private final RetryPolicy policy;
    private final SettlementStatements statements;
    private final EventSink events;

    Settlement(
            QueueRef queue,
            RowColumns<?> columns,
            RetryPolicy policy,
            SettlementStatements statements,
            EventSink events) {
        this.queue = queue;
        this.columns = columns;
        this.policy = policy;
        this.statements = statements;
        this.events = events;
    }

    /**
     * Writes a handler's outcome.
     *
     * @return false if it could not be written, so that the row comes back as it was
     */
    boolean settle(Claimed row, Outcome outcome, Duration handling) {
        return write(row, attempt -> fateOf(outcome, attempt), handling);
    }

    /** Gives back a row that no handler has seen. */
    void giveBack(Claimed row) {
        write(row, attempt -> new Fate.GiveBack(), Duration.ZERO);
    }

    /** Whether a row has had all its deliveries, the last of them without an end: its process died, or its lease. */
    boolean isSpent(Claimed row) {
        return canBury() && policy.isSpent(columns.attempt(row.row()) - 1);
    }

    private Fate fateOf(Outcome outcome, int attempt) {
        if (outcome instanceof Outcome.Reject reject) {
            return canBury() ? new Fate.Bury(reject.reason()) : new Fate.TryAgain(delayAfter(attempt), reject.reason());
        }
        if (outcome instanceof Outcome.Retry retry) {
            return againOrSpent(attempt, retry.reason(), () -> delayAfter(attempt));
        }
        if (outcome instanceof Outcome.RetryIn retryIn) {
            return againOrSpent(attempt, "retry in %s".formatted(retryIn.delay()), retryIn::delay);
        }
        return new Fate.Leave();
    }

    private Fate againOrSpent(int attempt, String error, Supplier<Duration> delay) {
        return policy.isSpent(attempt) ? new Fate.Bury(error) : new Fate.TryAgain(delay.get(), error);
    }

    // The policy may be the user's own code; a message is not to be stuck because of it.
    private Duration delayAfter(int attempt) {
        try {
            var delay = policy.delayAfter(attempt);
            Micros.of(delay);
            return delay;
        } catch (RuntimeException unusable) {
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

    private boolean write(Claimed row, IntFunction<Fate> decision, Duration handling) {
        var settling = new Settling(queue.name(), columns.id(row.row()), columns.attempt(row.row()), handling);
        try {
            var fate = decision.apply(settling.attempt());
            if (fate.write(statements, row)) {
                events.tell(listener -> fate.tell(listener, settling));
            } else {
                lost(settling, null);
            }
            return true;
        } catch (LostException lost) {
            lost(settling, lost);
            return true;
        } catch (RuntimeException | Error failure) {
            LOG.warn(
                    "{}: message {} could not be settled and comes back when its hold ends",
                    queue,
                    settling.id(),
                    failure);
            events.tell(listener -> listener.settlementFailed(settling.queue(), settling.id(), failure));
            return false;
        } finally {
            letGo(row);
        }
    }

    private void letGo(Claimed row) {
        try {
            row.hold().close();
        } catch (RuntimeException failure) {
            LOG.warn("{}: the connection that held a message did not end well", queue, failure);
        }
    }

    private void lost(Settling settling, @Nullable LostException cause) {
        LOG.warn("{}: message {} was lost before it was settled: its hold had ended", queue, settling.id(), cause);
        events.tell(listener -> listener.lost(settling.queue(), settling.id()));
    }
}
