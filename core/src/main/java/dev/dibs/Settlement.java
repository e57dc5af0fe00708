package dev.dibs;

import dev.dibs.Fate.Settling;
import dev.dibs.SettlementStatements.Held;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.LostException;
import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what becomes of rows that were claimed together, lets go of them, and says so. Safe for any thread. */
final class Settlement {

    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    private static final String ONE_ROW = "dibs_one_row";

    private final DSLContext dsl;
    private final QueueRef queue;
    private final RowColumns<?> columns;
    private final Judgement judgement;
    private final EventSink events;

    Settlement(DSLContext dsl, QueueRef queue, RowColumns<?> columns, Judgement judgement, EventSink events) {
        this.dsl = dsl;
        this.queue = queue;
        this.columns = columns;
        this.judgement = judgement;
        this.events = events;
    }

    /**
     * Writes the outcome of each row.
     *
     * @return false if some could not be written or were lost, so that those rows come back as they were
     */
    boolean settle(Claimed claimed, List<Outcome> outcomes, Duration handling) {
        return end(claimed, endings(claimed, outcomes, handling));
    }

    /**
     * Writes the outcome of each row in the handler's transaction, and commits both.
     *
     * @throws RuntimeException if that could not be done, or a row was lost: then nothing is committed and the rows are
     *     still to be settled
     */
    void commit(Claimed claimed, List<Outcome> outcomes, OwnTransaction settling, Duration handling) {
        var endings = endings(claimed, outcomes, handling);
        var results = settling.run(dsl, own -> allOrNothing(own, endings));
        letGo(claimed);
        results.forEach(this::tell);
    }

    /** Gives back rows that no handler has seen. */
    void giveBack(Claimed claimed) {
        end(
                claimed,
                claimed.rows().stream()
                        .map(row -> ending(claimed, row, new Fate.GiveBack(), Duration.ZERO))
                        .toList());
    }

    private boolean end(Claimed claimed, List<Ending> endings) {
        var results = results(claimed, endings);
        letGo(claimed);
        results.forEach(this::tell);
        return results.stream().allMatch(Result::isWritten);
    }

    // Together, as it goes at once; row by row where one of them, or the text of its error, is refused.
    private List<Result> results(Claimed claimed, List<Ending> endings) {
        try {
            return written(claimed, endings);
        } catch (RuntimeException | Error failure) {
            return endings.size() == 1 ? endedBy(failure, endings) : apart(claimed, endings);
        }
    }

    private List<Result> written(Claimed claimed, List<Ending> endings) {
        try {
            return together(claimed, endings);
        } catch (DataAccessException refused) {
            var plain = endings.stream().map(Ending::plain).toList();
            if (plain.equals(endings)) {
                throw refused;
            }
            return together(claimed, plain);
        }
    }

    private List<Result> together(Claimed claimed, List<Ending> endings) {
        var settling = claimed.hold().settling();
        return endings.size() == 1 && endings.get(0).fate().isOneStatement()
                ? settling.single(dsl, own -> each(own, endings))
                : settling.run(dsl, own -> each(own, endings));
    }

    private List<Result> apart(Claimed claimed, List<Ending> endings) {
        try {
            return claimed.hold()
                    .settling()
                    .run(
                            dsl,
                            own -> endings.stream()
                                    .map(ending -> alone(own, ending.plain()))
                                    .toList());
        } catch (RuntimeException | Error failure) {
            return endedBy(failure, endings);
        }
    }

    private Result alone(DSLContext own, Ending ending) {
        own.savepoint(ONE_ROW).execute();
        try {
            return written(own, ending);
        } catch (RuntimeException | Error failure) {
            own.rollback().toSavepoint(ONE_ROW).execute();
            return endedBy(failure, ending);
        }
    }

    private List<Result> allOrNothing(DSLContext own, List<Ending> endings) {
        var results = each(own, endings);
        if (results.stream().anyMatch(result -> !result.isWritten())) {
            throw new LostException("a message was lost while its handler's transaction was open", null);
        }
        return results;
    }

    private List<Result> each(DSLContext own, List<Ending> endings) {
        return endings.stream().map(ending -> written(own, ending)).toList();
    }

    private Result written(DSLContext own, Ending ending) {
        return new Result(ending, ending.fate().write(new SettlementStatements(own, queue), ending.row()), null);
    }

    private static List<Result> endedBy(Throwable failure, List<Ending> endings) {
        return endings.stream().map(ending -> endedBy(failure, ending)).toList();
    }

    private static Result endedBy(Throwable failure, Ending ending) {
        return new Result(ending, false, failure instanceof LostException ? null : failure);
    }

    private void letGo(Claimed claimed) {
        try {
            claimed.hold().close();
        } catch (RuntimeException failure) {
            LOG.warn("{}: the connection that held a message did not end well", queue, failure);
        }
    }

    private void tell(Result result) {
        var ending = result.ending();
        var settling = ending.settling();
        if (result.failure() != null) {
            var failure = result.failure();
            LOG.warn(
                    "{}: message {} could not be settled and comes back when its hold ends",
                    queue,
                    settling.id(),
                    failure);
            events.tell(listener -> listener.settlementFailed(settling.queue(), settling.id(), failure));
        } else if (result.isWritten()) {
            events.tell(listener -> ending.fate().tell(listener, settling));
        } else {
            LOG.warn("{}: message {} was lost before it was settled: its hold had ended", queue, settling.id());
            events.tell(listener -> listener.lost(settling.queue(), settling.id()));
        }
    }

    private List<Ending> endings(Claimed claimed, List<Outcome> outcomes, Duration handling) {
        var endings = new ArrayList<Ending>();
        var outcome = outcomes.iterator();
        for (var row : claimed.rows()) {
            endings.add(ending(claimed, row, judgement.of(outcome.next(), columns.attempt(row)), handling));
        }
        return endings;
    }

    private Ending ending(Claimed claimed, Record row, Fate fate, Duration handling) {
        return new Ending(
                new Held(row, claimed.hold().guard(row)),
                fate,
                new Settling(queue.name(), columns.id(row), columns.attempt(row), handling));
    }

    /** A row and what is to become of it. */
    private record Ending(Held row, Fate fate, Settling settling) {

        Ending plain() {
            return new Ending(row, fate.plain(), settling);
        }
    }

    /** What a statement made of it: written, failed, or neither, for the row was somebody else's. */
    private record Result(
            Ending ending, boolean isWritten, @Nullable Throwable failure) {}
}
