package dev.dibs.postgres;

import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.Listening;
import dev.dibs.spi.PatientConnections;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.SignalKey;
import dev.dibs.spi.TableChannel;
import dev.dibs.table.QueueException;
import dev.dibs.wake.Announcement;
import dev.dibs.wake.WakeRegistry.Sleepers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Has processes wake each other's workers, by PostgreSQL's notifications. Safe for any thread.
 *
 * <p>It is opened once for a {@code DSLContext}, before workers of its queues are started, and serves all of them until it is
 * closed: after the workers, and before the pool. It takes one connection for as long as workers listen, and one for a
 * moment whenever it notifies.
 */
public final class Notifications implements AutoCloseable {

    /** What is committed within it after a notification was sent goes with the next one. */
    public static final Duration DEFAULT_WINDOW = Duration.ofMillis(10);

    /** How long a worker sleeps that is sure to be woken by whoever writes. */
    public static final Duration DEFAULT_LONGEST_SLEEP = Duration.ofMinutes(1);

    private static final Duration END = Duration.ofSeconds(5);

    private final DSLContext dsl;
    private final DSLContext pool;
    private final int connectionsKept;
    private final Duration longestSleep;
    private final Notifier notifier;
    private final Listener listener;
    private final Map<String, ListenedTable> tables = new ConcurrentHashMap<>();
    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable Thread listening;

    private Notifications(Builder settings) {
        this.dsl = settings.dsl;
        this.pool = PatientConnections.of(dsl, Listener.ANSWER);
        this.connectionsKept = settings.listenedOn == settings.dsl ? 1 : 0;
        this.longestSleep = settings.longestSleep;
        this.notifier = new Notifier(dsl, settings.window, this::channel);
        this.listener = new Listener(settings.listenedOn, pool, tables);
    }

    /**
     * Opens it with the defaults.
     *
     * @param dsl the one that queues are made with
     * @throws QueueException if it is not of PostgreSQL, or has some already
     */
    public static Notifications open(DSLContext dsl) {
        return builder(dsl).open();
    }

    /** With settings of your own. */
    public static Builder builder(DSLContext dsl) {
        return new Builder(dsl);
    }

    /** Those that queues of a configuration are served by. */
    static Optional<Notifications> of(Configuration configuration) {
        return Optional.ofNullable((Notifications) configuration.data(Notifications.class));
    }

    /** See {@link dev.dibs.spi.Wakeups#connectionsKept}. */
    int connectionsKept() {
        return connectionsKept;
    }

    /** See {@link dev.dibs.spi.Wakeups#inserted}. */
    void inserted(QueueRef queue) {
        tell(queue, true);
    }

    /** See {@link dev.dibs.spi.Wakeups#ready}. */
    void ready(QueueRef queue) {
        tell(queue, false);
    }

    private Optional<String> channel(String topic) {
        return Optional.ofNullable(topics.get(topic)).flatMap(Topic::channel);
    }

    // Where the server does not tell of all writers nobody takes the lock of sleepers, and nothing is announced on
    // demand.
    private boolean tellsItself(QueueRef queue, TableChannel seen) {
        return seen.announcement() == Announcement.ALWAYS
                || (seen.announcement() == Announcement.ON_DEMAND && asked(new TableWriters(queue)::areTold));
    }

    private void tell(QueueRef queue, boolean isInsert) {
        var table = queue.from();
        var topic = (isInsert ? "inserted into " : "ready in ") + queue.table();
        topics.computeIfAbsent(
                topic, key -> new Topic(() -> channel(table), seen -> isInsert && tellsItself(queue, seen)));
        notifier.notify(topic, queue.name());
    }

    /** See {@link dev.dibs.spi.Wakeups#listen}. */
    Listening listen(QueueRef queue, Sleepers sleepers) {
        return listen(new ListenedTable(channel(queue.from()), gate(queue), false), queue.name(), sleepers);
    }

    /** The same for signals, which are always announced. */
    Listening listen(SignalKey key, Sleepers sleepers) {
        var gate = new SleepGate(Optional.of(Set::of), longestSleep);
        return listen(new ListenedTable(channel(key), gate, true), key.key(), sleepers);
    }

    private Listening listen(ListenedTable made, String payload, Sleepers sleepers) {
        var listened = tables.compute(made.channel().channel(), (channel, present) -> {
            var one = present != null ? present : made;
            one.add(payload, sleepers);
            return one;
        });
        startListening();
        return new Ear(listened, payload, sleepers, listener, new AtomicBoolean(true));
    }

    /** See {@link dev.dibs.spi.Wakeups#signalled}. */
    void signalled(SignalKey key) {
        var signals = channel(key);
        topics.computeIfAbsent(signals.channel(), name -> new Topic(() -> signals, seen -> false));
        notifier.notify(signals.channel(), key.key());
    }

    // Hashed, since a name may be longer than PostgreSQL keeps.
    private static TableChannel channel(SignalKey key) {
        var hash = UUID.nameUUIDFromBytes(key.signals().getBytes(StandardCharsets.UTF_8));
        return new TableChannel(DSL.name(key.signals()), "dibs:signals:" + hash, 0, Announcement.ALWAYS);
    }

    private SleepGate gate(QueueRef queue) {
        var writers = new TableWriters(queue);
        Optional<Supplier<Set<String>>> told =
                asked(writers::areTold) ? Optional.of(() -> asked(writers::now)) : Optional.empty();
        return new SleepGate(told, longestSleep);
    }

    private TableChannel channel(Table<?> table) {
        return asked(own -> TableChannel.of(own, table));
    }

    private <R> R asked(Function<DSLContext, R> question) {
        return JdbcTransaction.ofDriver().single(pool, question);
    }

    private synchronized void startListening() {
        if (listening == null && !closed.get()) {
            listening = new Thread(listener, "dibs-listener");
            listening.setDaemon(true);
            listening.start();
        }
    }

    /** Sends what waits to be sent, and listens no more; bounded, and may be called twice. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            dsl.configuration().data().remove(Notifications.class, this);
            notifier.close();
            listener.close();
            awaitListener();
        }
    }

    private synchronized void awaitListener() {
        if (listening != null) {
            try {
                listening.join(END.toMillis());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Notifications in the making. For one thread. */
    public static final class Builder {

        private final DSLContext dsl;
        private DSLContext listenedOn;
        private Duration window = DEFAULT_WINDOW;
        private Duration longestSleep = DEFAULT_LONGEST_SLEEP;

        private Builder(DSLContext dsl) {
            this.dsl = dsl;
            this.listenedOn = dsl;
        }

        /** How long what is committed after a notification waits for the next one; zero for not at all. */
        public Builder window(Duration time) {
            this.window = time;
            return this;
        }

        /** How long a worker sleeps at most that is sure to be woken; its poll interval, if that is longer. */
        public Builder longestSleep(Duration time) {
            if (time.isNegative() || time.isZero()) {
                throw new IllegalArgumentException("the longest sleep is %s; it is more than zero".formatted(time));
            }
            this.longestSleep = time;
            return this;
        }

        /**
         * Where the connection comes from that is listened on, if it is not to be one of the pool: behind a pooler that gives
         * a connection for each transaction, one to the server itself.
         */
        public Builder listenOn(DataSource server) {
            this.listenedOn = DSL.using(server, dsl.dialect());
            return this;
        }

        /**
         * Opens it.
         *
         * @throws QueueException if the DSLContext is not of PostgreSQL, or has some already
         */
        public Notifications open() {
            if (dsl.family() != SQLDialect.POSTGRES) {
                throw new QueueException(
                        "notifications: the DSLContext speaks %s, and PostgreSQL alone notifies; leave them out, workers find messages when they look"
                                .formatted(dsl.dialect().getName()));
            }
            var opened = new Notifications(this);
            if (dsl.configuration().data().putIfAbsent(Notifications.class, opened) != null) {
                opened.close();
                throw new QueueException(
                        "notifications: the DSLContext has some already, which serve all its queues; open them once, and close them before others are opened");
            }
            return opened;
        }
    }

    /** Where a table's notifications go, as its catalog said a moment ago. For the notifier's thread. */
    private static final class Topic {

        private static final long FRESH = TimeUnit.SECONDS.toNanos(10);

        private final Supplier<TableChannel> catalog;
        private final Predicate<TableChannel> isToldOtherwise;
        private Optional<String> channel = Optional.empty();
        private boolean isSeen;
        private long seenAt;

        Topic(Supplier<TableChannel> catalog, Predicate<TableChannel> isToldOtherwise) {
            this.catalog = catalog;
            this.isToldOtherwise = isToldOtherwise;
        }

        Optional<String> channel() {
            var now = System.nanoTime();
            if (!isSeen || now - seenAt > FRESH) {
                var seen = catalog.get();
                channel = isToldOtherwise.test(seen) ? Optional.empty() : Optional.of(seen.channel());
                isSeen = true;
                seenAt = now;
            }
            return channel;
        }
    }

    /** A worker's own. */
    private record Ear(ListenedTable table, String payload, Sleepers sleepers, Listener listener, AtomicBoolean open)
            implements Listening {

        @Override
        public Duration asleep(Optional<Long> lookedFullySince, Duration poll) {
            return table.gate().asleep(lookedFullySince, poll);
        }

        @Override
        public void awake() {
            table.gate().awake();
        }

        @Override
        public Optional<String> trouble() {
            return listener.trouble();
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                table.remove(payload, sleepers);
            }
        }
    }
}
