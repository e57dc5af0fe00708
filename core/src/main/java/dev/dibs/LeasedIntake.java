package dev.dibs;

import dev.dibs.spi.Claimed;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Leased rows wait here for a free handler, their leases kept, so that no handler waits for a claim.
 *
 * <p>A handler takes one batch after the other while there is one; then its place is free.
 */
final class LeasedIntake implements Intake {

    private static final int ROWS_OF_A_LOOK = 100;

    private final Slots slots;
    private final int batchSize;
    private final Duration lease;
    private final Prefetch prefetch;
    private final Deliveries deliveries;
    private final Suspects suspects;
    private final Lock taking = new ReentrantLock();
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingRows = new AtomicInteger();
    private final AtomicLong startedRows = new AtomicLong();
    private final Signal hasRoom = new Signal();
    private volatile Runnable pause = () -> {};
    private volatile int enough;
    private volatile boolean isSuspicious;
    private volatile boolean closed;

    LeasedIntake(Slots slots, Sizes sizes, Prefetch prefetch, Deliveries deliveries, Suspects suspects) {
        this.slots = slots;
        this.batchSize = sizes.batch();
        this.lease = sizes.lease();
        this.prefetch = prefetch;
        this.deliveries = deliveries;
        this.suspects = suspects;
    }

    /** Who pauses when rows came back as they were. */
    void pauseBy(ClaimLoop loop) {
        pause = loop::pause;
    }

    // Not before half of what is to wait has gone: fewer claims, with more rows each.
    @Override
    public int awaitRoom() throws InterruptedException {
        while (!closed) {
            var ahead = prefetch.rows(startedRows.get(), System.nanoTime());
            enough = ahead / 2;
            var rows = waitingRows.get();
            var room = (int) Math.min(Integer.MAX_VALUE, (long) slots.free() * batchSize + ahead - rows);
            if (rows <= enough && room > 0) {
                return isSuspicious ? 1 : room;
            }
            giveBackWhatWaitsTooLong(System.nanoTime());
            hasRoom.await(Slots.LOOK_AGAIN);
        }
        return 0;
    }

    // Where rows wait for quick handlers, a few more do not matter.
    @Override
    public int roomForALook() {
        var free = slots.free() * batchSize - waitingRows.get();
        return enough > 0 ? ROWS_OF_A_LOOK : Math.max(0, Math.min(free, ROWS_OF_A_LOOK));
    }

    // One claim at a time: while a message is handled alone, no other comes in.
    @Override
    public void take(Claimed claimed) {
        taking.lock();
        try {
            if (suspects.areNotIn(claimed)) {
                isSuspicious = false;
                accept(claimed);
            } else {
                takeSuspects(claimed);
            }
        } finally {
            taking.unlock();
        }
    }

    private void takeSuspects(Claimed claimed) {
        var rows = suspects.sorted(claimed);
        var now = suspects.handledNow(claimed, slots.free() * batchSize);
        isSuspicious = suspects.isToBeAlone(rows.get(0)); // then the next one is claimed alone, too
        claimed.part(rows.subList(now, rows.size())).ifPresent(this::giveBackFirst);
        if (isSuspicious) {
            takeAlone(new Claimed(rows.subList(0, 1), claimed.hold()));
        } else {
            claimed.part(rows.subList(0, now)).ifPresent(this::accept);
        }
    }

    // Before a suspect begins: what is not written when the process dies would count as a delivery.
    private void giveBackFirst(Claimed rest) {
        deliveries.giveBack(rest);
        deliveries.awaitWritten();
    }

    private void takeAlone(Claimed claimed) {
        awaitNothingAtWork();
        deliveries.awaitWritten();
        accept(claimed);
        awaitNothingAtWork();
    }

    // For a lease at most: what is at work longer may hang, and one that kills its process has done so by then.
    private void awaitNothingAtWork() {
        var until = System.nanoTime() + lease.toNanos();
        while (slots.awaitAllFree(until) && !waiting.isEmpty() && !closed) {
            startHandlers();
        }
    }

    private void accept(Claimed claimed) {
        if (closed) {
            deliveries.giveBack(claimed);
            return;
        }
        var now = System.nanoTime();
        waitingRows.addAndGet(claimed.rows().size());
        claimed.split(batchSize).forEach(batch -> waiting.add(new Waiting(batch, now)));
        startHandlers();
        if (closed) { // since the claim began
            giveBackWaiting();
        }
    }

    private void startHandlers() {
        try {
            var more = waiting.size();
            while (more > 0 && slots.tryRun(this::work)) {
                more--;
            }
        } catch (RuntimeException | Error noThread) {
            giveBackWaiting();
            throw new IllegalStateException("claimed messages found no thread and were given back", noThread);
        }
    }

    private void work() {
        for (var batch = next(); batch != null; batch = next()) {
            startedRows.addAndGet(batch.rows().size());
            if (!deliveries.deliver(batch)) {
                pause.run();
            }
        }
    }

    private @Nullable Claimed next() {
        var next = waiting.poll();
        if (next == null) {
            return null;
        }
        if (waitingRows.addAndGet(-next.batch().rows().size()) <= enough) {
            hasRoom.wake();
        }
        return next.batch();
    }

    // Behind handlers that have become slow, or hang: another instance may have one that is free.
    private void giveBackWhatWaitsTooLong(long now) {
        var oldest = waiting.peek();
        if (oldest != null && now - oldest.since() > lease.toNanos() / 2) {
            giveBackWaiting();
        }
    }

    /** A handler's place is free: there is room, or a batch that came while it was leaving. */
    void freed() {
        if (!waiting.isEmpty()) {
            startHandlers();
        }
        if (waitingRows.get() <= enough) {
            hasRoom.wake();
        }
    }

    @Override
    public void close() {
        closed = true;
        hasRoom.wake();
        slots.stopWaiting();
        giveBackWaiting();
    }

    private void giveBackWaiting() {
        for (var batch = next(); batch != null; batch = next()) {
            deliveries.giveBack(batch);
        }
    }

    /** How many rows a handler takes at once, and how long they are leased. */
    record Sizes(int batch, Duration lease) {}

    /** Rows that wait for a handler, since a time of {@link System#nanoTime()}. */
    private record Waiting(Claimed batch, long since) {}
}
