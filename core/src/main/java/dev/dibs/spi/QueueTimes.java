package dev.dibs.spi;

import dev.dibs.table.DeadLetters;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeColumn;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jooq.Field;
import org.jooq.SQLDialect;

/** The time columns of a queue's table and of its dead letters, looked at before anything is written into them. */
record QueueTimes(String queue, QueueTable<?> table) {

    private static final List<Part> PARTS = List.of(Part.DUE_AT, Part.LEASED_UNTIL, Part.FINISHED_AT);

    /** Refuses columns that hold no times, or not those that they are to hold. */
    void requireSound() {
        each(table, TimeColumn::of);
        if (table.has(Part.LEASED_UNTIL)) {
            requireToken(TimeColumn.of(table.column(Part.LEASED_UNTIL)));
        }
        if (table.destination() instanceof DeadLetters.OtherTable dead) {
            each(dead.table(), TimeColumn::of);
            PARTS.forEach(part -> requireAlike(part, dead.table()));
        }
    }

    /** Refuses columns of types that a database does not have. */
    void requireServed(SQLDialect family) {
        each(table, column -> TimeColumn.of(column).requireServed(family));
        if (table.destination() instanceof DeadLetters.OtherTable dead) {
            each(dead.table(), column -> TimeColumn.of(column).requireServed(family));
        }
    }

    // A row that was given back and claimed again within one unit would carry the same expiry twice, and a settlement
    // that the first claim repeats, for want of an answer, would hit the second.
    private void requireToken(TimeColumn until) {
        if (!until.isExact() && !table.has(Part.LEASE_TOKEN)) {
            throw new QueueException(
                    "%s: the expiry in %s, %s, is too coarse to prove who holds a row, for two claims may write the same one; map leaseToken(..), or make the column one of microseconds"
                            .formatted(queue, until, until.description()));
        }
    }

    // Dead letters are copied by the database, column to column.
    private void requireAlike(Part part, QueueTable<?> dead) {
        times(table, part)
                .ifPresent(own -> times(dead, part).ifPresent(other -> {
                    if (part != Part.FINISHED_AT && !own.isLike(other)) {
                        throw new QueueException(
                                "%s: %s is copied to the dead letters in table %s as it is, but it is %s here and %s there; give both columns one type"
                                        .formatted(queue, part, dead, own.description(), other.description()));
                    }
                }));
    }

    private static Optional<TimeColumn> times(QueueTable<?> of, Part part) {
        return of.find(part).map(TimeColumn::of);
    }

    private void each(QueueTable<?> of, Consumer<Field<Object>> look) {
        for (var part : PARTS) {
            try {
                of.find(part).ifPresent(look);
            } catch (IllegalArgumentException refused) {
                throw new QueueException(
                        "%s: %s in table %s: %s".formatted(queue, part, of, refused.getMessage()), refused);
            }
        }
    }
}
