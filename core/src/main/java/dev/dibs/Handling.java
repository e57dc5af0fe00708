package dev.dibs;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.HandlerTransaction;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
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
    private final Settlement settlement;

    Handling(DSLContext dsl, String queue, UserCode<T> code, BatchReader<T> reader, Settlement settlement) {
        this.dsl = dsl;
        this.queue = queue;
        this.code = code;
        this.reader = reader;
        this.settlement = settlement;
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
                : settlement.settle(claimed, batch.outcomes(answers(null, batch.deliveries())), since(started));
    }

    private boolean handleInTransaction(Claimed claimed, Batch<T> batch, long started) {
        HandlerTransaction transaction;
        try {
            transaction = claimed.hold().begin(dsl);
        } catch (RuntimeException | Error noTransaction) {
            LOG.warn("queue \"{}\": no transaction for a handler; its messages are given back", queue, noTransaction);
            settlement.giveBack(claimed);
            return false;
        }
        return handleIn(transaction, claimed, batch, started);
    }

    // What the handler wrote stays only if all that it was given is done; else it is undone before anything is settled.
    private boolean handleIn(HandlerTransaction transaction, Claimed claimed, Batch<T> batch, long started) {
        List<Outcome> outcomes;
        var isCommitted = false;
        try (transaction) {
            var answers = answers(transaction.tx(), batch.deliveries());
            outcomes = batch.outcomes(answers);
            if (answers.stream().allMatch(Outcome.Done.class::isInstance)) {
                settlement.commit(claimed, outcomes, transaction.settling(), since(started));
                isCommitted = true;
                return true;
            }
        } catch (RuntimeException | Error refused) { // by the database, or lost: the handler's work has failed
            if (isCommitted) {
                LOG.warn("queue \"{}\": the connection of a handler's transaction did not end well", queue, refused);
                return true;
            }
            LOG.debug("queue \"{}\": a handler's transaction could not be committed", queue, refused);
            outcomes = batch.outcomes(failures(batch.deliveries().size(), refused));
        }
        return settlement.settle(claimed, outcomes, since(started));
    }

    private List<Outcome> answers(@Nullable Configuration tx, List<Delivery<T>> deliveries) {
        if (deliveries.isEmpty()) {
            return List.of();
        }
        try {
            return code.outcomes(tx, deliveries);
        } catch (Throwable thrown) { // an Error too is these messages' failure, not the worker's end
            LOG.debug("queue \"{}\": the handler threw", queue, thrown);
            return failures(deliveries.size(), thrown);
        } finally {
            Thread.interrupted(); // an interrupt meant for the handler must not break the settlement's connection
        }
    }

    private static List<Outcome> failures(int messages, Throwable thrown) {
        return Collections.nCopies(messages, Outcome.retry(ErrorText.of(thrown)));
    }

    private static Duration since(long started) {
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
