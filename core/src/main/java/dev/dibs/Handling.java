package dev.dibs;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.HandlerTransaction;
import dev.dibs.spi.UnansweredException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands claimed rows to the user's code, such that nothing it throws gets out, and settles what it answers. */
final class Handling<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Handling.class);

    private final DSLContext dsl;
    private final String queue;
    private final UserCode<T> code;
    private final BatchReader<T> reader;
    private final GivenValues values;
    private final Settlement settlement;
    private final Settler settler;

    Handling(DSLContext dsl, UserCode<T> code, BatchReader<T> reader, Settlement settlement, Settler settler) {
        this.dsl = dsl;
        this.queue = reader.queue().name();
        this.code = code;
        this.reader = reader;
        this.values = new GivenValues(reader.queue());
        this.settlement = settlement;
        this.settler = settler;
    }

    /**
     * Handles rows that were claimed together.
     *
     * @return false if what became of them could not be written, so that they come back as they were
     */
    boolean handle(Claimed claimed) {
        var started = System.nanoTime();
        var batch = reader.read(claimed);
        return (code.isTransactional() && !batch.deliveries().isEmpty())
                ? handleInTransaction(claimed, batch, started)
                : settled(claimed, batch.outcomes(answers(null, batch.deliveries())), started);
    }

    private boolean handleInTransaction(Claimed claimed, Batch<T> batch, long started) {
        HandlerTransaction transaction;
        try {
            transaction = claimed.hold().begin(dsl);
        } catch (RuntimeException | Error noTransaction) {
            LOG.warn("queue \"{}\": no transaction for a handler; its messages are given back", queue, noTransaction);
            settler.settle(claimed, settlement.givingBack(claimed));
            return false;
        }
        return handleIn(transaction, claimed, batch, started);
    }

    // What the handler wrote stays only if all that it was given is done; else it is undone before anything is settled.
    private boolean handleIn(HandlerTransaction transaction, Claimed claimed, Batch<T> batch, long started) {
        List<Ending> endings = List.of();
        var committed = List.<Settled>of();
        try (transaction) {
            var answers = answers(transaction.tx(), batch.deliveries());
            endings = settlement.endings(claimed, batch.outcomes(answers), since(started));
            if (answers.stream().allMatch(Outcome.Done.class::isInstance)) {
                committed = settlement.commit(dsl, endings, transaction.settling());
                transaction.committed();
            }
        } catch (RuntimeException | Error refused) { // by the database, or lost: the handler's work has failed
            LOG.debug("queue \"{}\": a handler's transaction did not end well", queue, refused);
            if (committed.isEmpty()) {
                endings = failed(claimed, batch, endings, refused, started);
            }
        }
        if (committed.isEmpty()) {
            return settler.settle(claimed, endings);
        }
        settler.letGo(claimed);
        settlement.tell(committed);
        return true;
    }

    // After a commit without an answer they may be there already, as they were written.
    private List<Ending> failed(
            Claimed claimed, Batch<T> batch, List<Ending> written, Throwable refused, long started) {
        var failures = failures(batch.deliveries().size(), refused);
        var endings = settlement.endings(claimed, batch.outcomes(failures), since(started));
        if (!(refused instanceof UnansweredException)) {
            return endings;
        }
        return IntStream.range(0, endings.size())
                .mapToObj(each -> endings.get(each).after(written.get(each).fate()))
                .toList();
    }

    private boolean settled(Claimed claimed, List<Outcome> outcomes, long started) {
        return settler.settle(claimed, settlement.endings(claimed, outcomes, since(started)));
    }

    private List<Outcome> answers(@Nullable Configuration tx, List<Delivery<T>> deliveries) {
        if (deliveries.isEmpty()) {
            return List.of();
        }
        try {
            return code.outcomes(tx, deliveries).stream().map(values::checked).toList();
        } catch (Throwable thrown) { // an Error too is these messages' failure, not the worker's end
            LOG.debug("queue \"{}\": the handler threw", queue, thrown);
            return failures(deliveries.size(), thrown);
        } finally {
            Thread.interrupted(); // an interrupt meant for the handler must not break the settlement's connection
        }
    }

    private static List<Outcome> failures(int messages, Throwable thrown) {
        return Collections.nCopies(messages, Outcome.retry(thrown));
    }

    private static Duration since(long started) {
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
