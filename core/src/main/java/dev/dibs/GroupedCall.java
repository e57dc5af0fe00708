package dev.dibs;

import dev.dibs.wake.Signal;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call that waits until another thread has written its message, or until it is its turn to write. */
final class GroupedCall<T> {

    private final NewRow<T> row;
    private final Signal signal = new Signal();
    private volatile @Nullable Supplier<Receipt> answer;

    GroupedCall(NewRow<T> row) {
        this.row = row;
    }

    NewRow<T> row() {
        return row;
    }

    /** Waits for the answer or the turn, whichever comes. */
    void await() {
        signal.awaitUninterruptibly();
    }

    void wake() {
        signal.wake();
    }

    /** Says what became of the message, in a way that the caller's own thread finds out. */
    void answer(Supplier<Receipt> found) {
        answer = found;
    }

    boolean isAnswered() {
        return answer != null;
    }

    Receipt receipt() {
        return Objects.requireNonNull(answer, "answered by whoever wrote it").get();
    }
}
