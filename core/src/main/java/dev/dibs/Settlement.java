package dev.dibs;

import dev.dibs.Fate.Settling;
import dev.dibs.Settled.How;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.Hold;
import dev.dibs.spi.LostException;
import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import dev.dibs.spi.UnansweredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what becomes of claimed rows, and says what came of it. Safe for any thread. */
final class Settlement {

    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    private static final String ONE_ROW = "dibs_one_row";

    private final QueueRef queue;
    private final RowColumns<?> columns;
    private final Judgement judgement;
    private final EventSink events;

    Settlement(QueueRef queue, RowColumns<?> columns, Judgement judgement, EventSink events) {
        this.queue = queue;
        this.columns = columns;
        this.judgement = judgement;
        this.events = events;
    }

    /** What becomes of each row, given the handler's outcome for it. */
    List<Ending> endings(Claimed claimed, List<Outcome> outcomes, Duration handling) {
        var endings = new ArrayList<Ending>();
        var outcome = outcomes.iterator();
        for (var row : claimed.rows()) {
            endings.add(ending(claimed, row, judgement.of(outcome.next(), columns.attempt(row)), handling));
        }
        return endings;
    }

    /** The end of rows that no handler has seen. */
    List<Ending> givingBack(Claimed claimed) {
        return claimed.rows().stream()
                .map(row -> ending(claimed, row, new Fate.GiveBack(), Duration.ZERO))
                .toList();
    }

    private Ending ending(Claimed claimed, Record row, Fate fate, Duration handling) {
        var settling = new Settling(queue.name(), columns.id(row), columns.attempt(row), handling);
        return new Ending(claimed.hold(), row, fate, settling, null);
    }

    /**
     * Writes endings of rows whose holds settle alike, in one transaction.
     *
     * <p>Together, as it goes at once; row by row where one of them, or the text of its error, is refused, or where one
     * was lost and it has to be found out which.
     *
     * @param dsl gives a connection where the rows are held without one
     * @return what came of each, in their order; nothing is thrown
     */
    List<Settled> write(DSLContext dsl, List<Ending> endings) {
        try {
            return together(dsl, endings);
        } catch (RuntimeException | Error failure) {
            return isOver(failure) ? failed(endings, failure) : apart(dsl, endings);
        }
    }

    private static boolean isOver(Throwable failure) {
        return failure instanceof LostException || failure instanceof UnansweredException || Outage.isTold(failure);
    }

    private List<Settled> together(DSLContext dsl, List<Ending> endings) {
        var settling = endings.get(0).hold().settling();
        return endings.size() == 1 && endings.get(0).fate().isOneStatement()
                ? settling.single(dsl, own -> alike(own, endings, Settlement::exact))
                : settling.run(dsl, own -> grouped(own, endings, Settlement::exact));
    }

    private List<Settled> apart(DSLContext dsl, List<Ending> endings) {
        try {
            return endings.get(0)
                    .hold()
                    .settling()
                    .run(dsl, own -> endings.stream().map(ending -> alone(own, ending)).toList());
        } catch (RuntimeException | Error failure) {
            return failed(endings, failure);
        }
    }

    private Settled alone(DSLContext own, Ending ending) {
        own.savepoint(ONE_ROW).execute();
        try {
            return Settled.counted(ending, written(own, List.of(ending)));
        } catch (RuntimeException | Error failure) {
            own.rollback().toSavepoint(ONE_ROW).execute();
            var plain = ending.plain();
            return plain.equals(ending) ? Settled.failed(ending, failure) : alone(own, plain);
        }
    }

    /**
     * Writes endings in the handler's transaction, and commits both.
     *
     * @throws RuntimeException if that could not be done, or a row was lost: then nothing is committed and the rows are
     *     still to be settled
     */
    List<Settled> commit(DSLContext dsl, List<Ending> endings, OwnTransaction settling) {
        return settling.run(dsl, own -> grouped(own, endings, Settlement::whole));
    }

    // One statement for those of one claim that share their end.
    private List<Settled> grouped(DSLContext own, List<Ending> endings, Function<Group, List<Settled>> counted) {
        var groups = new LinkedHashMap<Object, List<Ending>>();
        endings.forEach(ending -> groups.computeIfAbsent(new Alike(ending.hold(), ending.fate()), key -> new ArrayList<>())
                .add(ending));
        return groups.values().stream()
                .flatMap(group -> alike(own, group, counted).stream())
                .toList();
    }

    private List<Settled> alike(DSLContext own, List<Ending> group, Function<Group, List<Settled>> counted) {
        return counted.apply(new Group(group, written(own, group)));
    }

    // A lease that was extended meanwhile is proven by another expiry than the one that was asked for.
    private int written(DSLContext own, List<Ending> group) {
        var rows = new Claimed(group.stream().map(Ending::row).toList(), group.get(0).hold());
        var fate = group.get(0).fate();
        var statements = new SettlementStatements(own, queue);
        var guard = rows.hold().guard(rows.rows());
        var written = fate.write(statements, rows);
        return written == group.size() || guard.equals(rows.hold().guard(rows.rows()))
                ? written
                : written + fate.write(statements, rows);
    }

    private static List<Settled> exact(Group group) {
        var endings = group.endings();
        if (endings.size() == 1) {
            return List.of(Settled.counted(endings.get(0), group.written()));
        }
        if (group.written() < endings.size()) {
            throw new IllegalStateException("some of several rows were lost, and which is to be found out");
        }
        return endings.stream().map(ending -> Settled.of(ending, How.WRITTEN)).toList();
    }

    private static List<Settled> whole(Group group) {
        if (group.written() < group.endings().size()) {
            throw new LostException("a message was lost while its handler's transaction was open", null);
        }
        return group.endings().stream()
                .map(ending -> Settled.of(ending, How.WRITTEN))
                .toList();
    }

    private static List<Settled> failed(List<Ending> endings, Throwable failure) {
        return endings.stream().map(ending -> failed(ending, failure)).toList();
    }

    private static Settled failed(Ending ending, Throwable failure) {
        if (failure instanceof LostException) {
            return Settled.gone(ending);
        }
        return failure instanceof UnansweredException
                ? new Settled(ending.after(ending.fate()), How.AWAY, failure)
                : new Settled(ending, How.AWAY, failure);
    }

    /** Says what came of it. */
    void tell(Settled settled) {
        var ending = settled.ending();
        var settling = ending.settling();
        switch (settled.how()) {
            case WRITTEN -> events.tell(listener -> ending.fate().tell(listener, settling));
            case WRITTEN_BEFORE -> events.tell(listener -> before(ending).tell(listener, settling));
            case LOST -> {
                LOG.warn("{}: message {} was lost before it was settled: its hold had ended", queue, settling.id());
                events.tell(listener -> listener.lost(settling.queue(), settling.id()));
            }
            case UNKNOWN -> {
                LOG.warn("{}: message {} may be settled or not: the database never answered", queue, settling.id());
                events.tell(listener -> listener.unknown(settling.queue(), settling.id()));
            }
            default -> {
                LOG.warn(
                        "{}: message {} could not be settled and comes back when its hold ends",
                        queue,
                        settling.id(),
                        settled.failure());
                events.tell(listener -> listener.settlementFailed(settling.queue(), settling.id(), settled.reason()));
            }
        }
    }

    private static Fate before(Ending ending) {
        var unanswered = ending.unanswered();
        return unanswered != null ? unanswered : ending.fate();
    }

    /** What makes endings go into one statement. */
    private record Alike(Hold hold, Fate fate) {}

    /** Endings of one statement, and how many rows it wrote. */
    private record Group(List<Ending> endings, int written) {}
}
