package dev.dibs;

import dev.dibs.spi.Dialect;
import dev.dibs.spi.PatientConnections;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** How messages of a queue ended: read, and waited for. Safe for any thread; it refuses all where nothing is kept. */
final class Results {

    private final DSLContext dsl;
    private final QueueRef queue;
    private final Dialect dialect;
    private final Signals signals;
    private final Waiters waiters;

    Results(DSLContext dsl, QueueRef queue, Dialect dialect) {
        this.dsl = dsl;
        this.queue = queue;
        this.dialect = dialect;
        this.signals = new Signals(dsl, "results of " + queue.table(), dialect);
        var patient = PatientConnections.of(dsl, WorkerBuilder.DEFAULT_ANSWER_TIMEOUT);
        this.waiters =
                new Waiters(queue, signals, ids -> dialect.transaction().single(patient, own -> rows().of(own, ids)));
    }

    /** The rows. */
    ResultRows rows() {
        return ResultRows.of(queue)
                .orElseThrow(() -> new QueueException(
                        "%s: its messages have no results to await, for nothing says where they are kept; map a table for them with resultsIn(..), or take the managed tables withResults()"
                                .formatted(queue)));
    }

    Optional<Result> find(Object id) {
        var rows = rows();
        return Optional.ofNullable(queue.table().id().getDataType().convert(id))
                .map(known -> dialect.transaction()
                        .single(dsl, own -> rows.of(own, List.of(known)))
                        .get(known));
    }

    Optional<Result> await(Object id, Duration timeout) throws InterruptedException {
        if (timeout.isZero() || timeout.isNegative()) {
            return find(id);
        }
        rows();
        var found = new AtomicReference<@Nullable Result>();
        var signal = new Signal();
        Consumer<Result> waiter = result -> {
            found.set(result);
            signal.wake();
        };
        waiters.add(id, waiter);
        try {
            signal.await(timeout);
            return Optional.ofNullable(found.get());
        } finally {
            waiters.remove(id, waiter);
        }
    }

    // By the common pool, for what the application does with it must not hold up the others who wait.
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is the future that is returned
    CompletableFuture<Result> future(Object id) {
        rows();
        var future = new CompletableFuture<Result>();
        Consumer<Result> waiter = result -> future.completeAsync(() -> result);
        waiters.add(id, waiter);
        future.whenComplete((result, failure) -> waiters.remove(id, waiter));
        return future;
    }

    /** Some are written and committed: wakes who awaits them, in this process and in others. */
    void signal() {
        signals.signal(queue.name());
    }
}
