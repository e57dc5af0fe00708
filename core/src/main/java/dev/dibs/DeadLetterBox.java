package dev.dibs;

import dev.dibs.spi.OwnTransaction;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * The dead letters of a queue, wherever its mapping puts them: read, made messages again, deleted. Immutable and safe for
 * any thread.
 *
 * <p>A filter is a condition on the columns of the table in which they lie. A second table without a queue's column, and
 * a dead queue that several queues share, do not tell whose a dead letter was: it is in the box of each. What a worker of
 * the dead queue holds is passed over, but in the advisory form nothing tells: stop such workers before a replay.
 *
 * @param <T> the payload's type
 */
public final class DeadLetterBox<T> {

    /** Few enough for a short transaction, and for every database's limit on parameters. */
    private static final int PER_TRANSACTION = 500;

    private final Queue<T> queue;
    private final Graves graves;
    private final DeadLetterColumns<T> columns;

    DeadLetterBox(Queue<T> queue) {
        this.queue = queue;
        this.graves = Graves.of(queue.ref());
        this.columns = DeadLetterColumns.of(queue.table(), graves.table());
    }

    /** How many there are. */
    public int count() {
        return count(DSL.noCondition());
    }

    /** How many there are of which the filter is true. */
    public int count(Condition filter) {
        return transaction()
                .single(
                        queue.dsl(),
                        own -> own.fetchCount(
                                graves.table().table(), graves.lying().and(filter)));
    }

    /** The first ones by their ids, at most so many. */
    public List<DeadLetter<T>> list(int most) {
        return read(DSL.noCondition(), most);
    }

    /** Those that follow an id, in the order of the ids, at most so many. */
    public List<DeadLetter<T>> list(int most, Object afterId) {
        return read(graves.table().id().gt(id(afterId)), most);
    }

    /** The one of an id, if it is there. */
    public Optional<DeadLetter<T>> find(Object id) {
        return read(graves.table().id().eq(id(id)), 1).stream().findFirst();
    }

    /**
     * Makes one a message of the queue again: due now, not tried yet, as if it were enqueued. From a table of their own it
     * gets a new id where new messages do.
     *
     * @return false if there is no dead letter of that id, or another one is at work on it for half a second
     * @throws QueueException if a message of its dedup key waits in the queue; then it stays a dead letter
     */
    public boolean replay(Object id) {
        var done = replayed(() -> sweep(graves.atRest()).one(id(id), replay()));
        if (done.stream().anyMatch(one -> one.kept() > 0)) {
            throw new QueueException(
                    "%s: dead letter %s stays, for an unfinished message has its dedup key; replay it once that is done, or delete it"
                            .formatted(queue, id));
        }
        queue.wake();
        return done.isPresent();
    }

    /** Makes all messages again that are dead letters now, in small transactions by ascending ids. */
    public Replayed replayAll() {
        return replayAll(DSL.noCondition());
    }

    /**
     * Makes those messages again that are dead letters now and of which the filter is true, in small transactions by
     * ascending ids. When one of these fails, what was replayed before stays so.
     */
    public Replayed replayAll(Condition filter) {
        var sweep = sweep(graves.atRest().and(filter));
        try {
            return replayed(() -> sweep.all(PER_TRANSACTION, replay())).stream()
                    .reduce(new Replayed(0, 0), Replayed::and);
        } finally {
            queue.wake();
        }
    }

    /**
     * Deletes one.
     *
     * @return false if there is no dead letter of that id, or another one is at work on it for half a second
     */
    public boolean delete(Object id) {
        var sweep = sweep(graves.atRest());
        return sweep.one(id(id), sweep::deleted).isPresent();
    }

    /** Deletes those of which the filter is true, in small transactions, and answers how many. */
    public int deleteAll(Condition filter) {
        return sweep(graves.atRest().and(filter)).delete(PER_TRANSACTION);
    }

    /**
     * Deletes those that died so long ago by the queue's clock, in small transactions, and answers how many.
     *
     * @throws QueueException if no column tells when one died
     */
    public int purge(Duration olderThan) {
        return sweep(graves.atRestFor(Age.olderThan(olderThan, queue.ref()))).delete(PER_TRANSACTION);
    }

    private List<DeadLetter<T>> read(Condition filter, int most) {
        var id = graves.table().id();
        return transaction()
                .single(
                        queue.dsl(),
                        own -> own.select(columns.fields())
                                .from(graves.table().table())
                                .where(graves.lying())
                                .and(filter)
                                .orderBy(id)
                                .limit(most)
                                .fetch(columns::read));
    }

    private BiFunction<DSLContext, List<Object>, Replayed> replay() {
        if (graves.isApart() && queue.table().has(Part.DEDUP_KEY)) {
            transaction().single(queue.dsl(), own -> new DedupCheck(queue.ref()).run(own));
        }
        return new Replay(queue.ref(), graves)::write;
    }

    private <R> R replayed(Supplier<R> replay) {
        try {
            return replay.get();
        } catch (DataAccessException refused) {
            throw new QueueException(
                    "%s: a dead letter of table %s could not become a message again and stays; see why, and replay the others by a filter (%s)"
                            .formatted(queue, graves.table(), refused.getMessage()),
                    refused);
        }
    }

    private Sweep sweep(Condition rows) {
        return new Sweep(queue, graves.table(), rows);
    }

    private Object id(Object given) {
        return graves.table().id().getDataType().convert(given);
    }

    private OwnTransaction transaction() {
        return queue.dialect().transaction();
    }
}
