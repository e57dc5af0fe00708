package dev.dibs;

import dev.dibs.Fate.Settling;
import dev.dibs.Settled.How;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.Hold;
import dev.dibs.spi.KeptTexts;
import dev.dibs.spi.LostException;
import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import dev.dibs.spi.UnansweredException;
import dev.dibs.table.LockForm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
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
    private final Wakes wakes;
    private final Optional<ResultRows> results;
    private final Again again;
    private final KeptTexts texts = new KeptTexts();

    /**
     * The settlement of a queue's rows.
     *
     * @param wakes who is to look at what was settled
     */
    Settlement(QueueRef queue, RowColumns<?> columns, Judgement judgement, EventSink events, Wakes wakes) {
        this.wakes = wakes;
        this.results = ResultRows.of(queue);
        this.queue = queue;
        this.columns = columns;
        this.judgement = judgement;
        this.events = events;
        this.again = new Again(queue);
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
                .map(row -> ending(claimed, row, new Fate.GiveBack(columns.ranOut(row)), Duration.ZERO))
                .toList();
    }

    private Ending ending(Claimed claimed, Record row, Fate fate, Duration handling) {
        var settling = new Settling(queue.name(), columns.id(row), columns.attempt(row), handling);
        return new Ending(claimed.hold(), row, fate, settling, null);
    }

    /**
     * Writes endings of rows whose holds settle alike, in one transaction.
     *
     * <p>Together, as it goes at once; after a look at which are still held, where some are not; row by row, where one of
     * them or the text of its error is refused.
     *
     * @param dsl gives a connection where the rows are held without one
     * @return what came of each; nothing is thrown
     */
    List<Settled> write(DSLContext dsl, List<Ending> endings) {
        try {
            return inOne(dsl, endings);
        } catch (RuntimeException | Error failure) {
            return isOver(failure) || isWrittenOnce(endings) ? failed(endings, failure) : apart(dsl, endings);
        }
    }

    // What holds the row goes with the statement that was refused; in the lease form it is in the row itself.
    private boolean isWrittenOnce(List<Ending> endings) {
        return queue.table().lockForm() == LockForm.ROW_LOCK && isOneStatement(endings);
    }

    private boolean isOneStatement(List<Ending> endings) {
        var fate = endings.get(0).fate();
        return endings.size() == 1 && fate.isOneStatement() && !fate.hasText() && !isKept(fate);
    }

    private boolean isKept(Fate fate) {
        return results.isPresent() && fate.result().isPresent();
    }

    private List<Settled> inOne(DSLContext dsl, List<Ending> endings) {
        try {
            return queue.table().lockForm() == LockForm.LEASE
                    ? again.run(() -> together(dsl, endings))
                    : together(dsl, endings); // a rollback has ended what held the rows
        } catch (SomeLostException some) {
            return endings.get(0).hold().settling().run(dsl, own -> grouped(own, endings, this::stillHeld));
        }
    }

    private static boolean isOver(Throwable failure) {
        return failure instanceof LostException || failure instanceof UnansweredException || Outage.isTold(failure);
    }

    private List<Settled> together(DSLContext dsl, List<Ending> endings) {
        var settling = endings.get(0).hold().settling();
        return isOneStatement(endings)
                ? settling.single(dsl, own -> exact(own, endings))
                : settling.run(dsl, own -> grouped(own, endings, this::exact));
    }

    private List<Settled> apart(DSLContext dsl, List<Ending> endings) {
        try {
            return endings.get(0)
                    .hold()
                    .settling()
                    .run(
                            dsl,
                            own -> endings.stream()
                                    .map(ending -> alone(own, ending))
                                    .toList());
        } catch (RuntimeException | Error failure) {
            return isOver(failure) || queue.table().lockForm() != LockForm.LEASE
                    ? failed(endings, failure)
                    : refused(dsl, endings, failure);
        }
    }

    // By the commit, as a constraint that is deferred does: one of them must not keep the others from being settled.
    private List<Settled> refused(DSLContext dsl, List<Ending> endings, Throwable failure) {
        return endings.size() == 1
                ? List.of(Settled.failed(endings.get(0), failure))
                : endings.stream()
                        .flatMap(ending -> write(dsl, List.of(ending)).stream())
                        .toList();
    }

    private Settled alone(DSLContext own, Ending ending) {
        own.savepoint(ONE_ROW).execute();
        try {
            return kept(own, List.of(Settled.counted(ending, written(own, List.of(ending)))))
                    .get(0);
        } catch (RuntimeException | Error failure) {
            if (isOver(failure)) { // the transaction is, and the savepoint with it
                throw failure;
            }
            own.rollback().toSavepoint(ONE_ROW).execute();
            if (failure instanceof SomeLostException) {
                return Settled.gone(ending);
            }
            var other = instead(ending, failure);
            return other.equals(ending) ? Settled.failed(ending, failure) : alone(own, other);
        }
    }

    // A value that the database refuses is a failure of the handler that gave it.
    private Ending instead(Ending ending, Throwable refusal) {
        var hasValue = isKept(ending.fate())
                && ending.fate().result().flatMap(Result::value).isPresent();
        return hasValue
                ? ending.with(judgement.of(Outcome.retry(refusal), columns.attempt(ending.row())))
                : ending.plain();
    }

    /**
     * Writes endings in the handler's transaction, and commits both.
     *
     * @throws RuntimeException if that could not be done, or a row was lost: then nothing is committed and the rows are
     *     still to be settled
     */
    List<Settled> commit(DSLContext dsl, List<Ending> endings, OwnTransaction settling) {
        return settling.run(dsl, own -> grouped(own, endings, this::whole));
    }

    // One statement for those of one claim that share their end.
    private List<Settled> grouped(DSLContext own, List<Ending> endings, Writing writing) {
        var scans = scansWhereOthersHoldRows(own);
        var groups = new LinkedHashMap<Object, List<Ending>>();
        for (var ending : endings) {
            var alike = scans ? ending : new Alike(ending.hold(), ending.fate().common());
            groups.computeIfAbsent(alike, key -> new ArrayList<>()).add(ending);
        }
        return kept(
                own,
                groups.values().stream()
                        .flatMap(group -> writing.write(own, group).stream())
                        .toList());
    }

    // For those who await the messages, in the same transaction; of rows that are somebody else's nothing is told.
    private List<Settled> kept(DSLContext own, List<Settled> settled) {
        results.ifPresent(rows -> rows.write(
                own,
                settled.stream()
                        .filter(each -> each.how() == How.WRITTEN)
                        .map(Settled::ending)
                        .toList()));
        return settled;
    }

    // A lease that was extended meanwhile is proven by another expiry than the one that was asked for.
    private int written(DSLContext own, List<Ending> group) {
        var rows = rows(group);
        var fate = group.get(0).fate();
        var statements = new SettlementStatements(own, queue, texts);
        var guard = rows.hold().guard(rows.rows());
        var written = fate.write(statements, rows);
        return written == group.size() || guard.equals(rows.hold().guard(rows.rows()))
                ? written
                : written + fate.write(statements, rows);
    }

    // For several rows MySQL and MariaDB may read a small table whole, and a delete waits for each row that it reads:
    // also
    // for those of other handlers, whose own settlements wait for ours.
    private boolean scansWhereOthersHoldRows(DSLContext own) {
        return queue.table().lockForm() != LockForm.LEASE
                && (own.family() == SQLDialect.MYSQL || own.family() == SQLDialect.MARIADB);
    }

    private List<Settled> exact(DSLContext own, List<Ending> group) {
        var written = written(own, group);
        if (group.size() == 1) {
            return List.of(Settled.counted(group.get(0), written));
        }
        if (written < group.size()) {
            throw new SomeLostException();
        }
        return allWritten(group);
    }

    private List<Settled> stillHeld(DSLContext own, List<Ending> group) {
        var held = new SettlementStatements(own, queue, texts).lock(rows(group));
        var settled = new ArrayList<Settled>();
        var still = new ArrayList<Ending>();
        for (var ending : group) {
            if (held.contains(columns.id(ending.row()))) {
                still.add(ending);
            } else {
                settled.add(Settled.gone(ending));
            }
        }
        if (!still.isEmpty()) {
            settled.addAll(exact(own, still));
        }
        return settled;
    }

    private List<Settled> whole(DSLContext own, List<Ending> group) {
        if (written(own, group) < group.size()) {
            throw new LostException("a message was lost while its handler's transaction was open", null);
        }
        return allWritten(group);
    }

    private static List<Settled> allWritten(List<Ending> group) {
        return group.stream().map(ending -> Settled.of(ending, How.WRITTEN)).toList();
    }

    private static Claimed rows(List<Ending> group) {
        return new Claimed(
                group.stream().map(Ending::row).toList(), group.get(0).hold());
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

    /** Says what came of each. */
    void tell(List<Settled> all) {
        if (all.stream().anyMatch(settled -> settled.isWritten() && isKept(written(settled)))) {
            wakes.awaiting().run();
        }
        if (queue.isOrdered() && all.stream().anyMatch(Settled::isWritten)) { // it is the next one's turn
            wakes.workers().accept(Duration.ZERO);
        }
        log(all, How.LOST, "lost before they were settled, for their holds had ended");
        log(all, How.UNKNOWN, "settled or not, for the database never answered");
        all.forEach(this::tell);
    }

    private void log(List<Settled> all, How how, String what) {
        var ids = all.stream()
                .filter(settled -> settled.how() == how)
                .map(settled -> settled.ending().settling().id())
                .toList();
        if (!ids.isEmpty()) {
            LOG.warn("{}: {} messages are {}: {}", queue, ids.size(), what, ids);
        }
    }

    private void tell(Settled settled) {
        var ending = settled.ending();
        var settling = ending.settling();
        switch (settled.how()) {
            case WRITTEN, WRITTEN_BEFORE -> tell(written(settled), settling);
            case LOST -> events.tell(listener -> listener.lost(settling.queue(), settling.id()));
            case UNKNOWN -> events.tell(listener -> listener.unknown(settling.queue(), settling.id()));
            default -> {
                LOG.warn(
                        "{}: message {} could not be settled and comes back when its hold ends",
                        queue,
                        settling.id(),
                        settled.reason());
                events.tell(listener -> listener.settlementFailed(settling.queue(), settling.id(), settled.reason()));
            }
        }
    }

    private void tell(Fate fate, Settling settling) {
        events.tell(listener -> fate.tell(listener, settling));
        fate.readyAgain().ifPresent(wakes.workers());
    }

    private static Fate written(Settled settled) {
        var unanswered = settled.ending().unanswered();
        return settled.how() == How.WRITTEN_BEFORE && unanswered != null
                ? unanswered
                : settled.ending().fate();
    }

    /**
     * Who is to look at what was settled.
     *
     * @param workers has them look after a delay, when a message is to be claimed again
     * @param awaiting has those look who await messages
     */
    record Wakes(Consumer<Duration> workers, Runnable awaiting) {}

    /** What makes endings go into one statement. */
    private record Alike(Hold hold, Fate fate) {}

    /** Writes endings that go into one statement. */
    @FunctionalInterface
    private interface Writing {
        List<Settled> write(DSLContext own, List<Ending> group);
    }
}
