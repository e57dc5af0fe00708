package dev.dibs;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.DeadLetters;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import org.jooq.Condition;
import org.jooq.impl.DSL;

/**
 * Where a queue's dead messages lie.
 *
 * @param queue whose they are
 * @param place the table, as a queue of them
 * @param lying true of the rows that are dead
 */
record Graves(QueueRef queue, QueueRef place, Condition lying) {

    /** The place that the queue's mapping names. */
    static Graves of(QueueRef queue) {
        var destination = queue.table().destination();
        if (destination instanceof DeadLetters.OtherTable other) {
            return apart(queue, other.table());
        }
        if (destination instanceof DeadLetters.OtherQueue other) {
            var place = new QueueRef(queue.table(), other.name(), queue.time());
            return new Graves(queue, place, place.mine().and(unfinished(queue.table())));
        }
        if (destination instanceof DeadLetters.InPlace) {
            var ended = queue.table().column(Part.FINISHED_AT).isNotNull();
            var failed = queue.table().column(Part.ERROR).isNotNull();
            return new Graves(queue, queue, queue.mine().and(ended).and(failed));
        }
        throw new QueueException(
                "%s: it has no dead letters, for the table has no place for dead messages; map one with deadLetters(..), deadQueue(..), or finishedAt(..) and error(..)"
                        .formatted(queue));
    }

    /** Whether they lie in a table of their own. */
    boolean isApart() {
        return !table().table().equals(queue.table().table());
    }

    /** The table in which they lie. */
    QueueTable<?> table() {
        return place.table();
    }

    /** True of the rows that are dead and that no worker of theirs holds. */
    Condition atRest() {
        return lying.and(place.unleased(queue.time().now()));
    }

    /** The rows that died so long ago, or a refusal where no column tells. */
    Condition atRestFor(Age age) {
        if (queue.table().destination() instanceof DeadLetters.OtherQueue || !table().has(Part.FINISHED_AT)) {
            throw new QueueException(
                    "%s: its dead letters have no age, for no column of table %s tells when one died; delete them with deleteAll(..), or map finishedAt(..) and deadLetters(..) to a table that has it"
                            .formatted(queue, table()));
        }
        return lying.and(age.of(table().column(Part.FINISHED_AT)));
    }

    private static Graves apart(QueueRef queue, QueueTable<?> dead) {
        if (dead.isRowMode() && !queue.table().isRowMode()) {
            throw new QueueException(
                    "%s: its dead letters in table %s are mapped without a payload, so none can be read or become a message again; map it"
                            .formatted(queue, dead));
        }
        var place = new QueueRef(dead, queue.name(), queue.time());
        return new Graves(queue, place, place.mine());
    }

    private static Condition unfinished(QueueTable<?> table) {
        return table.find(Part.FINISHED_AT).map(at -> at.isNull()).orElse(DSL.noCondition());
    }
}
