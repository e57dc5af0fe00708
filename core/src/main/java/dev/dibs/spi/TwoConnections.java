package dev.dibs.spi;

import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two connections at once, for a probe of what one of them sees of the other's locks.
 *
 * <p>Nothing is held while the second one is waited for but a place in the pool, and that not for long: a pool of one
 * connection, or one whose connections are all in use, starts its worker without the probe and with a warning; so does a
 * pooler that has no second connection to the server.
 */
public record TwoConnections(DSLContext dsl, QueueRef queue, JdbcTransaction transaction) {

    /** Longer than a new connection takes, shorter than a pool lets its callers wait. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(TwoConnections.class);

    /** Runs a probe in a transaction on each, and rolls back both. */
    public void probe(BiConsumer<DSLContext, DSLContext> probe) {
        try (var first = transaction.open(dsl)) {
            requireServer(first);
            withAnother(second -> probe.accept(first.dsl(), second));
        }
    }

    /**
     * Runs a probe of what the first one's session holds.
     *
     * @param before on the first one, in auto-commit mode, before the second one begins a transaction
     * @param probe on both; when it has returned, the first one's session holds nothing any more
     */
    public void probeSession(Consumer<DSLContext> before, BiConsumer<DSLContext, DSLContext> probe) {
        try (var first = Session.open(dsl)) {
            before.accept(first.dsl());
            var probed = false;
            try {
                probed = withAnother(second -> probe.accept(first.dsl(), second));
            } finally {
                if (!probed) {
                    first.abort();
                }
            }
        }
    }

    private boolean withAnother(Consumer<DSLContext> probe) {
        var another = another();
        if (another.isEmpty()) {
            LOG.warn(
                    "{}: the pool gave no second connection within {}, so it was not seen whether locks hold; give the"
                            + " pool at least two connections",
                    queue,
                    PATIENCE);
            return false;
        }
        try (var second = another.get()) {
            probe.accept(second.dsl());
            return true;
        }
    }

    private Optional<OpenTransaction> another() {
        var answer = new CompletableFuture<Optional<OpenTransaction>>();
        var answered = new Signal();
        var asking = new Thread(() -> ask(answer, answered), "queue-%s-probe".formatted(queue.name()));
        asking.setDaemon(true);
        asking.start();
        try {
            answered.await(PATIENCE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        answer.complete(Optional.empty());
        return answered(answer);
    }

    private static Optional<OpenTransaction> answered(CompletableFuture<Optional<OpenTransaction>> answer) {
        try {
            return answer.getNow(Optional.empty());
        } catch (CompletionException failed) {
            throw new DataAccessException("the second connection fails: " + failed.getMessage(), failed.getCause());
        }
    }

    // A connection that comes when nobody waits for it any more goes back at once.
    private void ask(CompletableFuture<Optional<OpenTransaction>> answer, Signal answered) {
        try {
            var second = transaction.open(dsl);
            try {
                requireServer(second);
            } catch (DataAccessException failed) {
                answer.completeExceptionally(failed);
            }
            if (!answer.complete(Optional.of(second))) {
                second.close();
            }
        } catch (RuntimeException none) {
            LOG.debug("{}: no second connection", queue, none);
        } finally {
            answered.wake();
        }
    }

    // Some drivers begin with the first statement, and a pooler has no connection to the server before.
    private static void requireServer(OpenTransaction begun) {
        begun.dsl().selectOne().fetch();
    }
}
