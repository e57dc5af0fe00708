package dev.dibs;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
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
    private final Optional<Room> room;
    private volatile Supplier<Optional<Claimed>> more = Optional::empty;
    private volatile Runnable pause = () -> {};
    private volatile boolean closed;

    HeldIntake(Slots slots, int batchSize, Deliveries deliveries, Optional<Room> room) {
        this.slots = slots;
        this.batchSize = batchSize;
        this.deliveries = deliveries;
        this.room = room;
    }

    /** The claim, such that it waits until the pool has room for one more connection that holds rows. */
    Claim within(Claim claim) {
        return room.isEmpty() ? claim : request -> enter() ? claimed(claim, request) : Optional.empty();
    }

    private Optional<Claimed> claimed(Claim claim, ClaimRequest request) {
        Optional<Claimed> claimed = Optional.empty();
        try {
            claimed = claim.claim(request);
            return claimed;
        } finally {
            if (claimed.isEmpty()) {
                leave();
            }
        }
    }

    private boolean enter() {
        return room.map(places -> places.enter(() -> closed)).orElse(true);
    }

    private void leave() {
        room.ifPresent(Room::leave);
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
            giveBack(claimed);
            throw new IllegalStateException("a claimed message found no thread and was given back", noThread);
        }
        giveBack(claimed);
    }

    private void work(Claimed first) {
        for (var batch = Optional.of(first); batch.isPresent(); batch = next()) {
            if (closed) {
                giveBack(batch.get());
            } else if (!delivered(batch.get())) {
                pause.run();
                return;
            }
        }
    }

    private boolean delivered(Claimed batch) {
        try {
            return deliveries.deliver(batch);
        } finally {
            leave();
        }
    }

    private void giveBack(Claimed batch) {
        try {
            deliveries.giveBack(batch);
        } finally {
            leave();
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
