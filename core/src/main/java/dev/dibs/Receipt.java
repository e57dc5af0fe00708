package dev.dibs;

import dev.dibs.table.QueueException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Says that a message is in its queue, and waits for its end. Immutable and safe for any thread. */
public final class Receipt {

    private final Object id;
    private final boolean isNew;
    private final Results results;

    Receipt(Object id, boolean isNew, Results results) {
        this.id = id;
        this.isNew = isNew;
        this.results = results;
    }

    /** The row's id. */
    public Object id() {
        return id;
    }

    /** Whether this enqueue wrote it; if not, a message of its dedup key was there, and this is that one's id. */
    public boolean isNew() {
        return isNew;
    }

    /**
     * Waits until the message has ended, in whichever process. While the database is away it goes on waiting.
     *
     * <p>What is enqueued in a transaction ends after its commit only, so its thread commits before it awaits. A message that
     * its handler gives up and that is tried again has not ended. A dead letter that is replayed has not either, unless it
     * becomes a message with another id.
     *
     * @param timeout zero for one look
     * @return empty if it has not ended by then, or so long ago that its result is no longer kept
     * @throws QueueException if nothing says where the results of this queue's messages are kept
     */
    public Optional<Result> await(Duration timeout) throws InterruptedException {
        return results.await(id, timeout);
    }

    /**
     * The result to come. It waits for ever: cancel it, or give it a time ({@link CompletableFuture#orTimeout}), when nobody
     * is interested any more; of a stage made from it that ends nothing. Stages run on the common pool.
     *
     * @throws QueueException if nothing says where the results of this queue's messages are kept
     */
    public CompletableFuture<Result> future() {
        return results.future(id);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Receipt receipt && id.equals(receipt.id) && isNew == receipt.isNew;
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, isNew);
    }

    /** The message and whether it is new. */
    @Override
    public String toString() {
        return isNew ? "message %s".formatted(id) : "message %s, which was there".formatted(id);
    }
}
