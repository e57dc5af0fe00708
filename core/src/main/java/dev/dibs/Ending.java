package dev.dibs;

import dev.dibs.Fate.Settling;
import dev.dibs.spi.Hold;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * A claimed row and what is to become of it.
 *
 * @param hold what holds the row
 * @param settling the message as events name it
 * @param unanswered what was written before with no answer, so that it may be there already
 */
record Ending(
        Hold hold,
        Record row,
        Fate fate,
        Settling settling,
        @Nullable Fate unanswered) {

    /** The same with any text such that every column can hold it. */
    Ending plain() {
        return with(fate.plain());
    }

    /** The same row with another fate. */
    Ending with(Fate other) {
        return new Ending(hold, row, other, settling, unanswered);
    }

    /** The same, after that was written with no answer. */
    Ending after(Fate written) {
        return new Ending(hold, row, fate, settling, unanswered != null ? unanswered : written);
    }
}
