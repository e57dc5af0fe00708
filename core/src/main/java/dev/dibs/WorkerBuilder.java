package dev.dibs;

import dev.dibs.table.DeadLetters;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A worker in the making: settings first, then one verb that starts it. For one thread.
 *
 * @param <T> the payload's type
 */
public final class WorkerBuilder<T> {

    /** One handler at a time, so that nothing runs at once that was not asked to. */
    public static final int DEFAULT_CONCURRENCY = 1;

    /** How long a row that nobody announced waits at most. */
    public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

    /** Longer than a usual handler runs, shorter than a person waits for a crashed one. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** What orchestrators grant a process that they have told to end. */
    public static final Duration DEFAULT_SHUTDOWN_DEADLINE = Duration.ofSeconds(30);

    /**
     * The most rows that wait in a worker for its handlers, in the lease form: as many as two claims take. It is a bound
     * for quick handlers; behind slow ones fewer wait, or none.
     */
    public static final int DEFAULT_PREFETCH = 2_000;

    /** Beyond it rows wait longer in a worker than another instance would need for them. */
    public static final int LARGEST_PREFETCH = 5_000;

    /** Handlers may take as long as they like. */
    public static final Duration DEFAULT_MAX_HANDLING = Micros.LONGEST;

    /** Longer than a claim or a settlement takes on a server that is there, however busy it is. */
    public static final Duration DEFAULT_ANSWER_TIMEOUT = Duration.ofMinutes(1);

    private static final Duration LONGEST_ANSWER_TIMEOUT = Duration.ofDays(1);

    /** The most rows of one claim: beyond it a statement gains nothing and holds its locks longer. */
    public static final int MOST_ROWS_PER_CLAIM = 1_000;

    private final Queue<T> queue;
    private int concurrency = DEFAULT_CONCURRENCY;
    private Duration pollInterval = DEFAULT_POLL_INTERVAL;
    private Duration lease = DEFAULT_LEASE;
    private int prefetch = DEFAULT_PREFETCH;
    private Duration maxHandling = DEFAULT_MAX_HANDLING;
    private Duration answerTimeout = DEFAULT_ANSWER_TIMEOUT;
    private @Nullable Executor executor;
    private Duration shutdownDeadline = DEFAULT_SHUTDOWN_DEADLINE;
    private @Nullable RetryPolicy retry;
    private QueueEvents events = new QueueEvents() {};
    private boolean closeOnShutdown;

    WorkerBuilder(Queue<T> queue) {
        this.queue = queue;
    }

    /** How many handlers run at once in this worker. */
    public WorkerBuilder<T> concurrency(int handlers) {
        if (handlers < 1) {
            throw refused("concurrency", Integer.toString(handlers), "at least 1");
        }
        this.concurrency = handlers;
        return this;
    }

    /** How long a row that nobody announced waits at most, while there is room for it. */
    public WorkerBuilder<T> pollInterval(Duration interval) {
        if (interval.isNegative() || interval.isZero() || interval.compareTo(Micros.LONGEST) > 0) {
            throw refused("the poll interval", interval.toString(), "more than zero and at most " + Micros.LONGEST);
        }
        this.pollInterval = interval;
        return this;
    }

    /**
     * How many rows wait at most in this worker, claimed, so that no handler waits for a claim; 0 for none. In the lease
     * form only.
     *
     * <p>As many wait as the handlers would start within a tenth of a second, so that slow handlers keep no rows from other
     * instances. They keep their lease, and are given back when the worker is closed.
     */
    public WorkerBuilder<T> prefetch(int rows) {
        if (rows < 0 || rows > LARGEST_PREFETCH) {
            throw refused("the prefetch", Integer.toString(rows), "at least 0 and at most " + LARGEST_PREFETCH);
        }
        this.prefetch = rows;
        return this;
    }

    /**
     * How long a handler may take before its lease is no longer extended, so that a message whose handler hangs comes back;
     * for ever unless set. In the lease form only.
     */
    public WorkerBuilder<T> maxHandling(Duration time) {
        if (time.isNegative() || time.isZero() || time.compareTo(Micros.LONGEST) > 0) {
            throw refused("the longest handling", time.toString(), "more than zero and at most " + Micros.LONGEST);
        }
        this.maxHandling = time;
        return this;
    }

    /**
     * How long the worker waits for the database's answer to one of its own statements, before it takes the server for
     * frozen and another connection. What handlers do on connections has the limits that the application gives it.
     */
    public WorkerBuilder<T> answerTimeout(Duration time) {
        if (time.toMillis() < 1 || time.compareTo(LONGEST_ANSWER_TIMEOUT) > 0) {
            throw refused(
                    "the answer timeout",
                    time.toString(),
                    "at least a millisecond and at most " + LONGEST_ANSWER_TIMEOUT);
        }
        this.answerTimeout = time;
        return this;
    }

    /**
     * Runs the handlers; your own to end.
     *
     * <p>Unless set: a virtual thread for each on Java 21 and later, a platform thread before, and on SQLite always, whose
     * driver blocks in native code. Handlers have the logging context (MDC) and the context class loader of the thread that
     * starts the worker.
     */
    public WorkerBuilder<T> executor(Executor handlers) {
        this.executor = handlers;
        return this;
    }

    /**
     * How long a claim holds its rows, in the lease form; half-way through it is extended, as long as the rows are in this
     * worker's hands.
     */
    public WorkerBuilder<T> lease(Duration holding) {
        if (holding.isNegative() || holding.isZero() || holding.compareTo(Micros.LONGEST) > 0) {
            throw refused("the lease", holding.toString(), "more than zero and at most " + Micros.LONGEST);
        }
        this.lease = holding;
        return this;
    }

    /** When failed messages are tried again; a limit needs an attempt column and a place for dead messages. */
    public WorkerBuilder<T> retry(RetryPolicy policy) {
        if (policy.lowestLimit() != RetryPolicy.NO_LIMIT && !canLimitRetries()) {
            throw new QueueException(
                    "%s: a limit of %d deliveries was asked for, but the table %s; map the missing column, or use withoutLimit()"
                            .formatted(
                                    queue,
                                    policy.lowestLimit(),
                                    queue.table().has(Part.ATTEMPT)
                                            ? "has no place for dead messages (deadLetters, deadQueue, or finishedAt and error)"
                                            : "does not count attempts"));
        }
        this.retry = policy;
        return this;
    }

    /** How long {@link Worker#close()} waits for handlers at work. */
    public WorkerBuilder<T> shutdownDeadline(Duration deadline) {
        if (deadline.isNegative() || deadline.compareTo(Micros.LONGEST) > 0) {
            throw refused("the shutdown deadline", deadline.toString(), "zero or more and at most " + Micros.LONGEST);
        }
        this.shutdownDeadline = deadline;
        return this;
    }

    /** Who is told what happens. */
    public WorkerBuilder<T> events(QueueEvents listener) {
        this.events = listener;
        return this;
    }

    /** Closes the worker when the JVM ends, so that SIGTERM drains it. */
    public WorkerBuilder<T> closeOnShutdown() {
        this.closeOnShutdown = true;
        return this;
    }

    /** Starts a worker whose handler takes the payload; returning means done. */
    public Worker consume(PayloadHandler<T> handler) {
        return start(UserCode.consuming(handler));
    }

    /** Starts a worker whose handler decides what becomes of each message. */
    public Worker handle(Handler<T> handler) {
        return start(UserCode.handling(handler));
    }

    /** Starts a worker whose handler writes in the transaction in which its message is settled. */
    public Worker transact(TransactionalHandler<T> handler) {
        return start(UserCode.transacting(handler));
    }

    /** Starts a worker whose handler takes the payloads of up to that many messages; returning means all are done. */
    public Worker consumeAll(int batchSize, PayloadHandler<List<T>> handler) {
        return start(UserCode.consumingAll(checked(batchSize), handler));
    }

    /** Starts a worker whose handler decides what becomes of up to that many messages at once. */
    public Worker handleAll(int batchSize, BatchHandler<T> handler) {
        return start(UserCode.handlingAll(checked(batchSize), handler));
    }

    /** Starts a worker whose handler writes in the one transaction in which its up to that many messages are settled. */
    public Worker transactAll(int batchSize, TransactionalHandler.OfBatches<T> handler) {
        return start(UserCode.transactingAll(checked(batchSize), handler));
    }

    private int checked(int batchSize) {
        if (batchSize < 1 || batchSize > MOST_ROWS_PER_CLAIM) {
            throw refused(
                    "the batch size", Integer.toString(batchSize), "at least 1 and at most " + MOST_ROWS_PER_CLAIM);
        }
        return batchSize;
    }

    private Worker start(UserCode<T> code) {
        queue.check();
        var sizes = new Assembly.Sizes(concurrency, prefetch);
        var times = new Assembly.Times(pollInterval, lease, maxHandling, answerTimeout);
        var means = new Assembly.Means(threads().inThisContext(), policy(), new EventSink(events));
        var engine = new Assembly<>(queue, code, sizes, times, means).engine();
        try {
            engine.loop().listen(queue::listen);
        } catch (RuntimeException notListening) {
            engine.end().run();
            throw notListening;
        }
        var worker = new Worker(
                queue.ref(),
                engine,
                new Worker.Settings(shutdownDeadline, closeOnShutdown, queue::isPaused, queue::leave));
        worker.start();
        return worker;
    }

    private HandlerThreads threads() {
        if (executor != null) {
            return HandlerThreads.of(executor);
        }
        return queue.dialect().suitsVirtualThreads()
                ? HandlerThreads.virtual(queue.name(), concurrency)
                : HandlerThreads.platform(queue.name(), concurrency);
    }

    private RetryPolicy policy() {
        if (retry != null) {
            return retry;
        }
        return canLimitRetries()
                ? RetryPolicy.ofDefaults()
                : RetryPolicy.ofDefaults().withoutLimit();
    }

    private boolean canLimitRetries() {
        return queue.table().has(Part.ATTEMPT) && !(queue.table().destination() instanceof DeadLetters.Nowhere);
    }

    private IllegalArgumentException refused(String setting, String seen, String bound) {
        return new IllegalArgumentException("%s: %s is %s; it is %s".formatted(queue, setting, seen, bound));
    }
}
