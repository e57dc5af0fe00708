package dev.dibs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jooq.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The user's handler in one shape: deliveries in, an outcome for each out.
 *
 * @param batchSize the most messages that it takes at once
 * @param isTransactional whether it writes in a transaction in which its messages are settled
 */
record UserCode<T>(int batchSize, boolean isTransactional, Answers<T> answers) {

    private static final String NO_OUTCOME = "the handler returned null instead of an Outcome";

    /** One message at a time; returning means done. */
    static <T> UserCode<T> consuming(PayloadHandler<T> handler) {
        return handling(delivery -> {
            handler.handle(delivery.payload());
            return Outcome.done();
        });
    }

    /** One message at a time. */
    static <T> UserCode<T> handling(Handler<T> handler) {
        return new UserCode<>(1, false, (tx, deliveries) -> all(1, handler.handle(deliveries.get(0))));
    }

    /** One message at a time, in a transaction. */
    static <T> UserCode<T> transacting(TransactionalHandler<T> handler) {
        return new UserCode<>(1, true, (tx, deliveries) -> all(1, handler.handle(required(tx), deliveries.get(0))));
    }

    /** Several messages at a time; returning means that all are done. */
    static <T> UserCode<T> consumingAll(int size, PayloadHandler<List<T>> handler) {
        return handlingAll(size, deliveries -> {
            handler.handle(deliveries.stream().map(Delivery::payload).toList());
            return Outcomes.all(Outcome.done());
        });
    }

    /** Several messages at a time. */
    static <T> UserCode<T> handlingAll(int size, BatchHandler<T> handler) {
        return new UserCode<>(size, false, (tx, deliveries) -> {
            var outcomes = handler.handle(deliveries);
            return outcomes == null ? all(deliveries.size(), null) : outcomes.of(deliveries.size());
        });
    }

    /** Several messages at a time, in one transaction. */
    static <T> UserCode<T> transactingAll(int size, TransactionalHandler.OfBatches<T> handler) {
        return new UserCode<>(
                size, true, (tx, deliveries) -> all(deliveries.size(), handler.handle(required(tx), deliveries)));
    }

    /** An outcome for each delivery, in their order. */
    List<Outcome> outcomes(@Nullable Configuration tx, List<Delivery<T>> deliveries) throws Exception {
        var outcomes = new ArrayList<Outcome>();
        answers.of(tx, deliveries)
                .forEach(outcome -> outcomes.add(outcome != null ? outcome : Outcome.retry(NO_OUTCOME)));
        return outcomes;
    }

    private static List<@Nullable Outcome> all(int messages, @Nullable Outcome outcome) {
        return Collections.nCopies(messages, outcome);
    }

    private static Configuration required(@Nullable Configuration tx) {
        return Objects.requireNonNull(tx, "a transactional handler has a transaction");
    }

    /** The handler itself. */
    @FunctionalInterface
    interface Answers<T> {

        List<? extends @Nullable Outcome> of(@Nullable Configuration tx, List<Delivery<T>> deliveries) throws Exception;
    }
}
