package dev.dibs;

import dev.dibs.spi.Claimed;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Rows that a connection holds go to a handler at once, one claim for each free handler.
 *
 * <p>A handler that is through claims for itself, until there is nothing left; so as many claim as there is work for, and
 * one when the table is empty.
 */
final class HeldIntake implements Intake {

    private final Slots slots;
    private final int batchSize;
    private final Deliveries deliveries;
    private volatile Supplier<Optional<Claimed>> more = Optional::empty;
    private volatile Runnable pause = () -> {};
    private volatile boolean closed;

    HeldIntake(Slots slots, int batchSize, Deliveries deliveries) {
        this.slots = slots;
        this.batchSize = batchSize;
        this.deliveries = deliveries;
    }

    /** Where a handler that is through gets its next rows, and who pauses when rows came back as they were. */
    void feedFrom(ClaimLoop loop) {
        more = loop::claimMore;
        pause = loop::pause;
    }

    @Override
    public int awaitRoom() throws InterruptedException {
        slots.awaitFree();
        return batchSize;
    }

    @Override
    public void take(Claimed claimed) {
        try {
            if (!closed && slots.tryRun(() -> work(claimed))) {
                return;
            }
        } catch (RuntimeException | Error noThread) {
            deliveries.giveBack(claimed);
            throw new IllegalStateException("a claimed message found no thread and was given back", noThread);
        }
        deliveries.giveBack(claimed);
    }

    private void work(Claimed first) {
        for (var batch = Optional.of(first); batch.isPresent(); batch = next()) {
            if (closed) {
                deliveries.giveBack(batch.get());
            } else if (!deliveries.deliver(batch.get())) {
                pause.run();
                return;
            }
        }
    }

    private Optional<Claimed> next() {
        return closed ? Optional.empty() : more.get();
    }

    @Override
    public void close() {
        closed = true;
        slots.stopWaiting();
    }
}
