package dev.dibs;

import dev.dibs.spi.Dialect;
import dev.dibs.table.DeadLetters;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import org.jooq.DSLContext;

/**
 * A queue in the making. For one thread.
 *
 * @param <T> the payload's type
 */
public final class QueueBuilder<T> {

    private final DSLContext dsl;
    private final QueueTable<T> table;
    private final String name;
    private TimeSource time = TimeSource.database();

    QueueBuilder(DSLContext dsl, QueueTable<T> table, String name) {
        this.dsl = dsl;
        this.table = table;
        this.name = name;
    }

    /** Whose clock writes and compares due times and leases; the database's unless set. */
    public QueueBuilder<T> time(TimeSource source) {
        this.time = source;
        return this;
    }

    /**
     * How many connections the pool behind the DSLContext has, for all queues made from it; the first queue that says so
     * counts.
     *
     * <p>Row locks and lock keys hold a connection for each handler at work, and the handlers may want others of the same
     * pool. Told its size, Dibs always leaves one, so that a pool too small slows the workers and never stops them, and does
     * without the one that notifications are listened to on. Not told, the pool has to have two connections for each handler,
     * two more for each worker, and two more for notifications.
     */
    public QueueBuilder<T> poolSize(int connections) {
        if (connections < Room.LEAST) {
            throw new IllegalArgumentException(
                    "queue \"%s\" in table %s: the pool size is %d; it is at least 2, one to hold rows and one for their handler"
                            .formatted(name, table, connections));
        }
        Room.ofPool(dsl.configuration(), connections);
        return this;
    }

    /**
     * The queue.
     *
     * @throws QueueException if the name does not fit, or no dialect serves the database
     */
    public Queue<T> build() {
        requireName();
        requireOtherDeadQueue();
        return new Queue<>(dsl, table, name, time, dialect());
    }

    private void requireName() {
        if (name.indexOf('\0') >= 0) {
            throw new QueueException(
                    "table %s: the queue's name \"%s\" holds NUL, which not every database stores; leave it out"
                            .formatted(table, name));
        }
        if (name.isBlank()) {
            throw new QueueException(
                    "table %s: the queue's name is \"%s\"; give it a name that is not blank".formatted(table, name));
        }
        var longest = table.find(Part.QUEUE)
                .map(column -> column.getDataType().length())
                .orElse(0);
        if (longest > 0 && name.codePointCount(0, name.length()) > longest) {
            throw new QueueException(
                    "table %s: the queue's name has %d characters, and its column %s holds %d; choose a shorter one than \"%s\""
                            .formatted(
                                    table,
                                    name.codePointCount(0, name.length()),
                                    table.column(Part.QUEUE).getName(),
                                    longest,
                                    name));
        }
    }

    private void requireOtherDeadQueue() {
        if (table.destination() instanceof DeadLetters.OtherQueue dead
                && dead.name().equals(name)) {
            throw new QueueException(
                    "queue \"%s\" in table %s: its dead messages go to itself, and would be claimed again without end; give deadQueue(..) another name"
                            .formatted(name, table));
        }
    }

    private Dialect dialect() {
        return Dialect.of(dsl, "queue \"%s\" in table %s".formatted(name, table));
    }
}
