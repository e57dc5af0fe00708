package dev.dibs;

import dev.dibs.spi.Dialect;
import dev.dibs.spi.Listening;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import dev.dibs.wake.PendingWakes;
import dev.dibs.wake.Signal;
import dev.dibs.wake.WakeRegistry;
import dev.dibs.wake.WakeRegistry.Channel;
import dev.dibs.wake.WakeRegistry.Sleepers;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of messages in a table. Immutable and safe for any thread; making one reaches no database.
 *
 * @param <T> the payload's type
 */
public final class Queue<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Queue.class);

    /** Far beyond any wait of a worker, and safe to add to any time. */
    private static final long LONGEST_DELAY = TimeUnit.DAYS.toNanos(10_000);

    private final DSLContext dsl;
    private final QueueTable<T> table;
    private final QueueRef ref;
    private final Dialect dialect;
    private final Enqueue<T> enqueue;
    private final Again again;
    private final GroupedEnqueue<T> grouped;
    private final Sleepers sleepers;
    private final LongConsumer wakeBy;
    private final Results results;
    private final AtomicBoolean warned = new AtomicBoolean();

    Queue(DSLContext dsl, QueueTable<T> table, String name, TimeSource time, Dialect dialect) {
        this.dsl = dsl;
        this.table = table;
        this.ref = new QueueRef(table, name, time).servedBy(dsl.family());
        this.dialect = dialect;
        this.enqueue = new Enqueue<>(ref, table, dialect);
        this.again = new Again(ref);
        this.grouped = new GroupedEnqueue<>(this);
        // Derived configurations, those of transactions among them, share only what is there before them.
        this.sleepers = WakeRegistry.of(dsl.configuration()).sleepers(new Channel(table.toString(), name));
        this.wakeBy = this::wakeBy;
        ResultRows.of(ref).ifPresent(rows -> rows.requireTimes(dsl.family()));
        this.results = new Results(dsl, ref, dialect);
    }

    /**
     * A queue with the defaults.
     *
     * @param dsl gives a connection of its own for each call, so it is made from a pool, and not from one that joins a
     *     transaction under way: Dibs commits what it writes
     * @param table the mapping
     * @param name the queue's name in the table
     * @throws dev.dibs.table.QueueException if the name does not fit, or no dialect serves the database
     */
    public static <T> Queue<T> of(DSLContext dsl, QueueTable<T> table, String name) {
        return builder(dsl, table, name).build();
    }

    /** A queue with settings of your own. */
    public static <T> QueueBuilder<T> builder(DSLContext dsl, QueueTable<T> table, String name) {
        return new QueueBuilder<>(dsl, table, name);
    }

    /** Enqueues a message that is due at once; it is committed when this returns. */
    public Receipt enqueue(T payload) {
        return enqueue(Message.of(payload));
    }

    /** Enqueues a message; it is committed when this returns. */
    public Receipt enqueue(Message<T> message) {
        var enqueued = written(() -> enqueue.isKeyed(message)
                ? again.run(() -> dialect.transaction().run(dsl, own -> enqueue.one(own, message)))
                : dialect.transaction().single(dsl, own -> enqueue.one(own, message)));
        committed(untilDue(message));
        return receipt(enqueued);
    }

    /** Enqueues what many threads have at the same time together, each as if by itself; always the same object. */
    public GroupedEnqueue<T> grouped() {
        return grouped;
    }

    /** Enqueues a message in your transaction: it exists if that commits, and not at all if it rolls back. */
    public Receipt enqueue(Configuration tx, T payload) {
        return enqueue(tx, Message.of(payload));
    }

    /** Enqueues a message in your transaction: it exists if that commits, and not at all if it rolls back. */
    public Receipt enqueue(Configuration tx, Message<T> message) {
        var enqueued = enqueue.one(tx.dsl(), message);
        wakeAfterCommit(tx, untilDue(message));
        return receipt(enqueued);
    }

    /** Enqueues messages that are due at once, all or none; they are committed when this returns. */
    public void enqueueAll(Collection<T> payloads) {
        enqueueMessages(messages(payloads));
    }

    /** Enqueues messages that are due at once in your transaction. */
    public void enqueueAll(Configuration tx, Collection<T> payloads) {
        enqueueMessages(tx, messages(payloads));
    }

    /** Enqueues messages, all or none; they are committed when this returns. */
    public void enqueueMessages(Collection<Message<T>> messages) {
        written(() -> again.run(() -> dialect.transaction().run(dsl, own -> enqueue.all(own, messages))));
        untilDue(messages).ifPresent(this::committed);
    }

    /** Enqueues messages in your transaction. */
    public void enqueueMessages(Configuration tx, Collection<Message<T>> messages) {
        enqueue.all(tx.dsl(), messages);
        untilDue(messages).ifPresent(delay -> wakeAfterCommit(tx, delay));
    }

    /**
     * Has a worker look for messages, after a write that Dibs did not make, or whose commit it was not told of; another one too
     * as long as there are more than one can take. Workers of other processes are told where the database has a way.
     */
    public void wake() {
        sleepers.wake();
        dialect.wakeups().ready(dsl, ref);
    }

    /** Wakes a worker that sleeps, if there is one. */
    void wakeAnother() {
        sleepers.passOn();
    }

    /** The same, and in other processes: a worker has ended, which may have given messages back. */
    void leave() {
        wakeAnother();
        dialect.wakeups().ready(dsl, ref);
    }

    /** Has those look who await messages: some have ended. */
    void wakeAwaiting() {
        results.signal();
    }

    /** Has a worker look after a delay. */
    void wakeAfter(Duration delay) {
        sleepers.wakeBy(at(delay));
        dialect.wakeups().ready(dsl, ref); // this process may have no room for it then
    }

    private void committed(Duration delay) {
        wakeBy(at(delay));
    }

    private void wakeBy(long time) {
        sleepers.wakeBy(time);
        dialect.wakeups().inserted(dsl, ref);
    }

    private void wakeAfterCommit(Configuration tx, Duration delay) {
        var pending = PendingWakes.of(tx);
        if (pending.isPresent()) {
            pending.get().add(wakeBy, at(delay));
        } else if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "{}: messages are enqueued in a transaction of whose commit nothing tells Dibs, so a worker finds them at its next poll only; set new WakeAfterCommit() in the Configuration that the transactions are begun with, or call wake() on the queue after the commit",
                    ref);
        }
    }

    private static long at(Duration delay) {
        var nanos = TimeUnit.NANOSECONDS.convert(delay);
        return System.nanoTime() + Math.max(0, Math.min(LONGEST_DELAY, nanos));
    }

    // Of a given due time only the queue's clock knows how far away it is: the worker that looks will.
    private static Duration untilDue(Message<?> message) {
        return message.dueAt().isPresent() ? Duration.ZERO : message.delay();
    }

    private Optional<Duration> untilDue(Collection<Message<T>> messages) {
        return messages.stream().map(Queue::untilDue).min(Comparator.naturalOrder());
    }

    /**
     * The messages that are not tried again, to be read, replayed and deleted.
     *
     * @throws QueueException if the table's mapping has no place for them
     */
    public DeadLetterBox<T> deadLetters() {
        return new DeadLetterBox<>(this);
    }

    /**
     * Deletes the rows of messages that were finished so long ago by the queue's clock, in small transactions that pass
     * over what others hold, and answers how many. Dead letters that are kept in place stay.
     *
     * @throws QueueException if finished messages are not kept
     */
    public int purge(Duration olderThan) {
        return new Sweep(this, table, Finished.olderThan(olderThan, ref)).delete(Finished.PER_TRANSACTION);
    }

    /**
     * From when this returns, no instance claims a message of this queue until it is resumed; those in work go on.
     *
     * @throws QueueException if the table's mapping does not say where that is kept
     */
    public void pause() {
        var pause = Pause.of(ref);
        again.run(() -> dialect.transaction().single(dsl, pause::begin));
    }

    /**
     * Lets messages be claimed again: by this process at once, by others at their next poll.
     *
     * @throws QueueException if the table's mapping does not say where that is kept
     */
    public void resume() {
        var pause = Pause.of(ref);
        again.run(() -> dialect.transaction().single(dsl, pause::end));
        wake();
    }

    /** Whether it is paused, by whichever instance; false of a queue that cannot be. */
    public boolean isPaused() {
        return table.pauses().isPresent() && dialect.transaction().single(dsl, Pause.of(ref)::isOn);
    }

    /**
     * How a message ended, by the id that its receipt told, in whichever process; one look, which waits for nobody.
     *
     * @return empty if it has not ended, or so long ago that its result is no longer kept
     * @throws QueueException if the table's mapping does not say where results are kept
     */
    public Optional<Result> result(Object id) {
        return results.find(id);
    }

    /**
     * Deletes the results that need not be kept any more, those of all queues of the table, in small transactions that wait
     * for nobody, and answers how many. Workers do so too while they have nothing else to do, so that it is for tables whose
     * workers are never idle.
     *
     * @throws QueueException if the table's mapping does not say where results are kept
     */
    public int purgeResults() {
        return expired(results.rows()).delete(Finished.PER_TRANSACTION);
    }

    /** What a worker does for its tables, by connections of its own, while it has nothing else to do. */
    Runnable upkeep(DSLContext own) {
        return ResultRows.of(ref)
                .<Runnable>map(rows ->
                        new Upkeep(System::nanoTime, most -> expired(rows).deleteSome(own, most))::idle)
                .orElse(() -> {});
    }

    private Sweep expired(ResultRows rows) {
        var place = rows.place();
        return new Sweep(this, QueueTable.of(place.table(), place.messageId(), place.value()), rows.expired());
    }

    /** A worker of this queue, to be set up and started. */
    public WorkerBuilder<T> worker() {
        return new WorkerBuilder<>(this);
    }

    /** The queue's name. */
    public String name() {
        return ref.name();
    }

    /** The mapping. */
    public QueueTable<T> table() {
        return table;
    }

    /** The queue and its table, as messages name them. */
    @Override
    public String toString() {
        return ref.toString();
    }

    DSLContext dsl() {
        return dsl;
    }

    QueueRef ref() {
        return ref;
    }

    Dialect dialect() {
        return dialect;
    }

    void check() {
        dialect.check(dsl, ref);
        if (table.has(Part.DEDUP_KEY)) {
            dialect.transaction().single(dsl, own -> new DedupCheck(ref).atStart(own));
        }
        ResultRows.of(ref).ifPresent(rows -> dialect.transaction().single(dsl, rows::check));
    }

    /** Whether it may have to wait for another transaction, or another one for this thread. */
    boolean enqueuesAlone(Message<T> message) {
        return enqueue.isKeyed(message) || dialect.transaction().isAwaitedByOthers();
    }

    NewRow<T> prepared(Message<T> message) {
        return enqueue.prepared(message);
    }

    int fitting(List<NewRow<T>> rows) {
        return enqueue.fitting(rows);
    }

    Receipt enqueue(NewRow<T> row) {
        var enqueued = written(() -> dialect.transaction().single(dsl, own -> enqueue.one(own, row)));
        committed(untilDue(row.message()));
        return receipt(enqueued);
    }

    /**
     * Enqueues rows without dedup keys, all or none.
     *
     * @throws QueueException if a row was refused, and nothing is written
     * @throws DataAccessException if the transaction failed, and nothing is known
     */
    List<Receipt> enqueueTogether(List<NewRow<T>> rows) {
        var enqueued = again.run(() -> dialect.transaction().run(dsl, own -> enqueue.each(own, rows)));
        untilDue(rows.stream().map(NewRow::message).toList()).ifPresent(this::committed);
        return enqueued.stream().map(this::receipt).toList();
    }

    private Receipt receipt(Enqueued enqueued) {
        return new Receipt(enqueued.id(), enqueued.isNew(), results);
    }

    // Failures of the insert itself have been told; these are of its transaction: no connection, no commit.
    private <R> R written(Supplier<R> enqueue) {
        try {
            return enqueue.get();
        } catch (DataAccessException failed) {
            throw unknown(failed);
        }
    }

    QueueException unknown(Throwable failed) {
        return new QueueException(
                "%s: nothing is known to be enqueued, for its transaction failed; is the database there, free, and may this user write to it? (%s)"
                        .formatted(ref, failed.getMessage()),
                failed);
    }

    /** Wakes the signal when there may be messages, whoever has written them, until that is closed. */
    Listening listen(Signal signal) {
        var own = sleepers.registry().subscribe(sleepers.channel(), signal);
        return ListeningToAll.of(own, () -> dialect.wakeups().listen(dsl, ref, sleepers));
    }

    private List<Message<T>> messages(Collection<T> payloads) {
        return payloads.stream().map(Message::of).toList();
    }
}
