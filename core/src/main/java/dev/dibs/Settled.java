package dev.dibs;

import org.jspecify.annotations.Nullable;

/**
 * What came of writing an ending.
 *
 * @param failure what went wrong, where something did
 */
record Settled(Ending ending, How how, @Nullable Throwable failure) {

    enum How {
        /** It is committed. */
        WRITTEN,
        /** It was committed by an attempt whose answer never came. */
        WRITTEN_BEFORE,
        /** Nothing was written: the row is somebody else's. */
        LOST,
        /** An answer never came, and what became of the row cannot be told any more. */
        UNKNOWN,
        /** The database refuses it, and would again. */
        REFUSED,
        /** The database is away; nothing is known to be written, and it can be tried again. */
        AWAY
    }

    /** An ending that was written, or not, by a statement that counts its rows. */
    static Settled counted(Ending ending, int rows) {
        return rows == 1 ? of(ending, How.WRITTEN) : gone(ending);
    }

    /** An ending whose row is no longer held by its claim. */
    static Settled gone(Ending ending) {
        if (ending.unanswered() == null) {
            return of(ending, How.LOST);
        }
        return of(ending, ending.hold().isSure(ending.row()) ? How.WRITTEN_BEFORE : How.UNKNOWN);
    }

    /** An ending that could not be written. */
    static Settled failed(Ending ending, Throwable failure) {
        return new Settled(ending, Outage.isTold(failure) ? How.AWAY : How.REFUSED, failure);
    }

    /** What came of it when it is not tried again: after an attempt without an answer it may be there. */
    Settled givenUp() {
        return how == How.AWAY && ending.unanswered() != null ? of(ending, How.UNKNOWN) : this;
    }

    static Settled of(Ending ending, How how) {
        return new Settled(ending, how, null);
    }

    /** What went wrong. */
    Throwable reason() {
        return failure != null ? failure : new IllegalStateException("nothing went wrong with " + ending);
    }

    /** Whether the row has met its end. */
    boolean isWritten() {
        return how == How.WRITTEN || how == How.WRITTEN_BEFORE;
    }
}
