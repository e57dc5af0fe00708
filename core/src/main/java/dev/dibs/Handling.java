package dev.dibs;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.RowColumns;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The user's code, called such that nothing it throws gets out. */
final class Handling<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Handling.class);

    private final String queue;
    private final RowColumns<T> columns;
    private final Handler<T> handler;

    Handling(String queue, RowColumns<T> columns, Handler<T> handler) {
        this.queue = queue;
        this.columns = columns;
        this.handler = handler;
    }

    /** What the handler makes of a row. */
    Outcome outcomeOf(Claimed row) {
        try {
            return handle(row);
        } catch (Throwable thrown) { // an Error too is this message's failure, not the worker's end
            LOG.debug("queue \"{}\": the handler threw", queue, thrown);
            return Outcome.retry(ErrorText.of(thrown));
        } finally {
            Thread.interrupted(); // an interrupt meant for the handler must not break the settlement's connection
        }
    }

    private Outcome handle(Claimed row) throws Exception {
        var read = columns.payload(row.row());
        if (read.failure() != null) {
            return Outcome.reject("the payload cannot be read: " + ErrorText.of(read.failure()));
        }
        if (read.value() == null) {
            return Outcome.reject("the payload is null");
        }
        var headers = columns.headers(row.row());
        if (headers.failure() != null) {
            return Outcome.reject("the headers cannot be read: " + ErrorText.of(headers.failure()));
        }
        var origin =
                new Delivery.Origin(columns.id(row.row()), queue, columns.attempt(row.row()), columns.dueAt(row.row()));
        var outcome = handler.handle(
                new Delivery<>(read.value(), Objects.requireNonNullElse(headers.value(), Map.of()), origin));
        return outcome != null ? outcome : Outcome.retry("the handler returned null instead of an Outcome");
    }
}
