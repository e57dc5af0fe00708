package dev.dibs;

import dev.dibs.table.QueueException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Enqueues what many threads have at the same time together: one statement and one commit for all of them.
 *
 * <p>A message that comes alone goes out at once. While it is written, others gather, and the first of them then writes
 * all. There is no thread and no time to wait for; who enqueues one message after the other from one thread gains nothing.
 *
 * <p>Safe for any thread, and of use only from many; each queue has one. An interrupt does not end the waiting for a
 * commit, and is still there after it. Not for a thread whose own open transaction holds locks that an insert into the
 * table waits for: it would keep the others waiting as well. The converter of a payload may run on another caller's thread.
 *
 * @param <T> the payload's type
 */
public final class GroupedEnqueue<T> {

    /** As many as one statement takes. */
    private static final int MOST_ROWS = 500;

    private final Queue<T> queue;
    private final Lock lock = new ReentrantLock();
    private final ArrayDeque<GroupedCall<T>> waiting = new ArrayDeque<>(); // guarded by the lock
    private boolean isWriting; // guarded by the lock

    GroupedEnqueue(Queue<T> queue) {
        this.queue = queue;
    }

    /** Enqueues a message that is due at once; it is committed when this returns. */
    public Receipt enqueue(T payload) {
        return enqueue(Message.of(payload));
    }

    /**
     * Enqueues a message; it is committed when this returns.
     *
     * <p>A message with a dedup key may have to wait for another transaction, so it goes out by itself.
     */
    public Receipt enqueue(Message<T> message) {
        if (queue.enqueuesAlone(message)) {
            return queue.enqueue(message);
        }
        var call = new GroupedCall<>(queue.prepared(message));
        if (!isFirst(call)) {
            call.await();
        }
        if (!call.isAnswered()) {
            write();
        }
        return call.receipt();
    }

    /** Whether nobody is writing, so that this call writes. */
    private boolean isFirst(GroupedCall<T> call) {
        lock.lock();
        try {
            waiting.add(call);
            var first = !isWriting;
            isWriting = true;
            return first;
        } finally {
            lock.unlock();
        }
    }

    // The interrupt of one caller must not end the connection on which it writes for others.
    private void write() {
        var interrupted = Thread.interrupted();
        var group = group();
        try {
            write(group);
        } finally {
            handOver();
            group.forEach(GroupedCall::wake);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void write(List<GroupedCall<T>> group) {
        if (group.size() == 1) {
            writeAlone(group.get(0));
            return;
        }
        try {
            answer(group, queue.enqueueTogether(rows(group)));
        } catch (QueueException refused) { // nothing is written, and who is to blame finds out by itself
            group.forEach(call -> call.answer(() -> queue.enqueue(call.row())));
        } catch (Throwable failed) {
            group.forEach(call -> call.answer(() -> {
                throw queue.unknown(failed);
            }));
        }
    }

    // Its caller is the one that writes.
    private void writeAlone(GroupedCall<T> call) {
        try {
            var receipt = queue.enqueue(call.row());
            call.answer(() -> receipt);
        } catch (RuntimeException failed) {
            call.answer(() -> {
                throw failed;
            });
        }
    }

    private static void answer(List<? extends GroupedCall<?>> group, List<Receipt> receipts) {
        for (int call = 0; call < group.size(); call++) {
            var receipt = receipts.get(call);
            group.get(call).answer(() -> receipt);
        }
    }

    /** Those who wait, as many as one statement takes; the caller is the first of them. */
    private List<GroupedCall<T>> group() {
        lock.lock();
        try {
            var next = waiting.stream().limit(MOST_ROWS).toList();
            var group = next.subList(0, queue.fitting(rows(next)));
            group.forEach(call -> waiting.remove());
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void handOver() {
        lock.lock();
        try {
            var next = waiting.peek();
            isWriting = next != null;
            if (next != null) {
                next.wake();
            }
        } finally {
            lock.unlock();
        }
    }

    private List<NewRow<T>> rows(List<GroupedCall<T>> calls) {
        return calls.stream().map(GroupedCall::row).toList();
    }
}
