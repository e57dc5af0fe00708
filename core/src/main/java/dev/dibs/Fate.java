package dev.dibs;

import dev.dibs.Result.Kind;
import dev.dibs.spi.Claimed;
import java.time.Duration;
import java.util.Optional;

/** What becomes of a claimed row. */
sealed interface Fate {

    /**
     * Writes it into rows of one claim, where that still holds them.
     *
     * @return how many were written; the others are somebody else's
     */
    int write(SettlementStatements statements, Claimed rows);

    /** Whether one statement writes it. */
    default boolean isOneStatement() {
        return true;
    }

    /** Whether it writes a text that a column may refuse, and another one not. */
    default boolean hasText() {
        return false;
    }

    /** The same with any text such that every column can hold it. */
    default Fate plain() {
        return this;
    }

    /** What those are told who await the message, if this is its end. */
    default Optional<Result> result() {
        return Optional.empty();
    }

    /** The same for all rows that one statement writes: without what each has for itself. */
    default Fate common() {
        return this;
    }

    /** After which time the row may be claimed again, if it stays in the queue for that. */
    default Optional<Duration> readyAgain() {
        return Optional.empty();
    }

    /** Says that it was written. */
    void tell(QueueEvents events, Settling settling);

    /** The row leaves the queue. */
    record Leave(Result end) implements Fate {
        private static final Leave DONE = new Leave(new Result(Kind.DONE, Optional.empty()));

        @Override
        public int write(SettlementStatements statements, Claimed rows) {
            return statements.finish(rows);
        }

        @Override
        public Optional<Result> result() {
            return Optional.of(end);
        }

        @Override
        public Fate common() {
            return DONE;
        }

        @Override
        public void tell(QueueEvents events, Settling settling) {
            events.done(settling.queue(), settling.id(), settling.handling());
        }
    }

    /** The row stays and becomes due again. */
    record TryAgain(Duration delay, String error) implements Fate {
        @Override
        public int write(SettlementStatements statements, Claimed rows) {
            return statements.tryAgain(rows, delay, error);
        }

        @Override
        public Optional<Duration> readyAgain() {
            return Optional.of(delay);
        }

        @Override
        public boolean hasText() {
            return true;
        }

        @Override
        public Fate plain() {
            return new TryAgain(delay, ErrorText.plain(error));
        }

        @Override
        public void tell(QueueEvents events, Settling settling) {
            events.retried(settling.queue(), settling.id(), settling.attempt(), delay, error);
        }
    }

    /** The row goes to the dead letters. */
    record Bury(String error) implements Fate {
        @Override
        public int write(SettlementStatements statements, Claimed rows) {
            return statements.bury(rows, error);
        }

        @Override
        public Optional<Result> result() {
            return Optional.of(new Result(Kind.REJECTED, Optional.empty()));
        }

        @Override
        public boolean isOneStatement() {
            return false;
        }

        @Override
        public boolean hasText() {
            return true;
        }

        @Override
        public Fate plain() {
            return new Bury(ErrorText.plain(error));
        }

        @Override
        public void tell(QueueEvents events, Settling settling) {
            events.deadLettered(settling.queue(), settling.id(), settling.attempt(), error);
        }
    }

    /** The row stays for others, due after the delay, and the claim does not count. */
    record PassOn(Duration delay) implements Fate {
        @Override
        public int write(SettlementStatements statements, Claimed rows) {
            return statements.passOn(rows, delay);
        }

        @Override
        public Optional<Duration> readyAgain() {
            return Optional.of(delay);
        }

        @Override
        public void tell(QueueEvents events, Settling settling) {
            events.passedOn(settling.queue(), settling.id(), delay);
        }
    }

    /**
     * The row was never handed to a handler: it goes back to its place, and the claim does not count.
     *
     * @param ranOut whether the lease before this one ran out, which the next claim has to know too
     */
    record GiveBack(boolean ranOut) implements Fate {
        @Override
        public int write(SettlementStatements statements, Claimed rows) {
            return statements.giveBack(rows, ranOut);
        }

        @Override
        public Optional<Duration> readyAgain() {
            return Optional.of(Duration.ZERO);
        }

        @Override
        public void tell(QueueEvents events, Settling settling) {}
    }

    /** A message that is being settled, as events name it. */
    record Settling(String queue, Object id, int attempt, Duration handling) {}
}
