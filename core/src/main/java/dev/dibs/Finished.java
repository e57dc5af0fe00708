package dev.dibs;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.DeadLetters;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import java.time.Duration;
import org.jooq.Condition;

/** The rows of a queue that are kept after their messages were done. */
final class Finished {

    /** Few enough for a short transaction. */
    static final int PER_TRANSACTION = 1_000;

    private Finished() {}

    /** Those that were done so long ago, without the dead letters among them. */
    static Condition olderThan(Duration age, QueueRef queue) {
        var table = queue.table();
        if (!table.has(Part.FINISHED_AT)) {
            throw new QueueException(
                    "%s: there is nothing to purge, for no column plays the part finishedAt and a message is deleted when it is done; map one with finishedAt(..) to keep them"
                            .formatted(queue));
        }
        var done = queue.mine().and(Age.olderThan(age, queue).of(table.column(Part.FINISHED_AT)));
        return table.destination() instanceof DeadLetters.InPlace
                ? done.and(table.column(Part.ERROR).isNull())
                : done;
    }
}
