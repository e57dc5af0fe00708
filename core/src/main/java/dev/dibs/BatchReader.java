package dev.dibs;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.Hold;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowColumns;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import org.jooq.Record;

/** Reads claimed rows as messages, and finds those that are not to be handed out. */
record BatchReader<T>(QueueRef queue, RowColumns<T> columns, Judgement judgement) {

    private static final String SPENT =
            "all deliveries were spent, the last one without an end: its process died, or its lease ran out";

    Batch<T> read(Claimed claimed) {
        var deliveries = new ArrayList<Delivery<T>>();
        var decided = new ArrayList<Optional<Outcome>>();
        for (var row : claimed.rows()) {
            var unhandled = unhandled(row);
            decided.add(unhandled);
            if (unhandled.isEmpty()) {
                deliveries.add(delivery(row, claimed.hold()));
            }
        }
        return new Batch<>(deliveries, decided);
    }

    private Optional<Outcome> unhandled(Record row) {
        if (judgement.isSpent(columns.attempt(row))) {
            return Optional.of(Outcome.reject(SPENT));
        }
        var read = columns.payload(row);
        if (read.failure() != null) {
            return Optional.of(Outcome.reject("the payload cannot be read: " + ErrorText.of(read.failure())));
        }
        if (read.value() == null) {
            return Optional.of(Outcome.reject("the payload is null"));
        }
        var headers = columns.headers(row);
        return headers.failure() != null
                ? Optional.of(Outcome.reject("the headers cannot be read: " + ErrorText.of(headers.failure())))
                : Optional.empty();
    }

    private Delivery<T> delivery(Record row, Hold hold) {
        var payload = Optional.ofNullable(columns.payload(row).value()).orElseThrow();
        var headers = Optional.ofNullable(columns.headers(row).value()).orElseGet(Map::of);
        var origin = new Delivery.Origin(
                columns.id(row), queue.name(), columns.attempt(row), columns.dueAt(row), () -> hold.isLost(row));
        return new Delivery<>(payload, headers, origin);
    }
}
