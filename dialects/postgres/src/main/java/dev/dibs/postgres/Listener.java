package dev.dibs.postgres;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.quotedName;
import static org.jooq.impl.DSL.val;

import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.PatientConnections;
import dev.dibs.spi.Session;
import dev.dibs.spi.TableChannel;
import dev.dibs.table.QueueException;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears on one connection of its own what is notified, and wakes workers. One thread runs it; the rest is safe for any.
 *
 * <p>A connection proves first that notifications arrive on it: one is sent over another connection. What was notified while
 * there was none is lost, so all workers look when there is one again, and when there is none any more.
 */
final class Listener implements Runnable {

    /** A server that froze, or a network that swallows bytes, is found out after this and an answer's time. */
    static final Duration SIGN_OF_LIFE = Duration.ofSeconds(10);

    static final Duration ANSWER = Duration.ofSeconds(5);

    private static final Duration PROOF = Duration.ofSeconds(3);

    /** A connection that waits to hear something takes no lock meanwhile. */
    private static final Duration WHILE_SOME_FALL_ASLEEP = Duration.ofMillis(50);

    private static final Duration WHILE_ALL_SLEEP = Duration.ofMillis(500);

    /** How late it is seen that a table's announcement was switched. */
    private static final Duration LOOK_AT_TABLES = Duration.ofSeconds(30);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private final DSLContext connections;
    private final DSLContext pool;
    private final Map<String, ListenedTable> tables;
    private final String proof = "dibs:proof:" + UUID.randomUUID();
    private final Signal ended = new Signal();
    private Duration pause = FIRST_PAUSE;
    private volatile boolean closed;
    private volatile Optional<String> trouble = Optional.of("notifications are not listened to yet");

    /**
     * A listener that nobody runs yet.
     *
     * @param connections gives the one to listen on
     * @param pool gives one to prove it with, and does not wait for answers for ever
     * @param tables those to listen to, by any key; it takes out those that have no workers any more
     */
    Listener(DSLContext connections, DSLContext pool, Map<String, ListenedTable> tables) {
        this.connections = PatientConnections.of(connections, ANSWER);
        this.pool = pool;
        this.tables = tables;
    }

    /** Why nothing is heard; empty if it is. */
    Optional<String> trouble() {
        return trouble;
    }

    /** Ends it soon. */
    void close() {
        closed = true;
        ended.wake();
    }

    @Override
    public void run() {
        while (!closed) {
            try (var session = Session.open(connections)) {
                hearUntilClosed(session);
            } catch (RuntimeException | Error failed) { // nothing ends it but its close
                lost(failed);
                ended.awaitUninterruptibly(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
        deaf("they were closed");
    }

    private void lost(Throwable failed) {
        if (closed) {
            return;
        }
        if (trouble.isEmpty() || pause.equals(FIRST_PAUSE)) {
            LOG.warn(
                    "notifications are not heard, so messages of other programs are found by polling; trying again until they are",
                    failed);
        }
        deaf(failed.toString());
    }

    private void deaf(String why) {
        trouble = Optional.of("notifications are not heard: " + why);
        tables.values().forEach(table -> table.gate().lost());
        tables.values().forEach(ListenedTable::wakeAll);
    }

    // A pool would hand the connection on with all that it holds and listens to.
    private void hearUntilClosed(Session session) {
        try {
            hear(session);
        } catch (RuntimeException | Error failed) {
            session.abort();
            throw failed;
        }
    }

    private void hear(Session session) {
        prove(session.dsl());
        var attention = new Attention(session.dsl(), new HashMap<>());
        attention.pay(tables);
        if (trouble.isPresent()) {
            LOG.info("notifications are heard");
        }
        trouble = Optional.empty();
        pause = FIRST_PAUSE;
        tables.values().forEach(ListenedTable::wakeAll);
        var looked = System.nanoTime();
        var alive = looked;
        while (!closed) {
            attention.pay(tables);
            var heard = notifications(session.dsl(), slice());
            heard.forEach(attention::tell);
            var now = System.nanoTime();
            alive = heard.isEmpty() ? alive : now;
            if (now - alive > SIGN_OF_LIFE.toNanos()) {
                requireLife(session);
                alive = now;
            }
            if (now - looked > LOOK_AT_TABLES.toNanos()) {
                tables.values().forEach(table -> refresh(table, session.dsl()));
                looked = now;
            }
        }
        attention.end();
    }

    private Duration slice() {
        return tables.values().stream().anyMatch(table -> table.gate().isToBeLocked())
                ? WHILE_SOME_FALL_ASLEEP
                : WHILE_ALL_SLEEP;
    }

    private static void requireLife(Session session) {
        if (!session.isAlive()) {
            throw new QueueException("the connection that listens does not answer any more");
        }
    }

    // On the connection that listens: while it waited for one that handlers hold, nobody would hear anything.
    private static void refresh(ListenedTable table, DSLContext dsl) {
        try {
            table.refresh(dsl);
        } catch (RuntimeException away) { // its workers will tell
            LOG.debug("the catalog does not tell how a table announces its inserts", away);
        }
    }

    private void prove(DSLContext dsl) {
        dsl.execute("listen {0}", quotedName(proof));
        JdbcTransaction.ofDriver()
                .single(
                        pool,
                        own -> own.select(function("pg_notify", SQLDataType.OTHER, val(proof), val("")))
                                .execute());
        var until = System.nanoTime() + PROOF.toNanos();
        while (notifications(dsl, WHILE_SOME_FALL_ASLEEP).stream()
                .noneMatch(heard -> heard.getName().equals(proof))) {
            if (closed || System.nanoTime() - until > 0) {
                throw new QueueException(
                        "a notification that was sent did not arrive within %s, as behind a pooler that gives a connection for each transaction; give Notifications one to the server itself, to the same database, by listenOn(..)"
                                .formatted(PROOF));
            }
        }
        dsl.execute("unlisten {0}", quotedName(proof));
    }

    private static List<PGNotification> notifications(DSLContext dsl, Duration slice) {
        return dsl.connectionResult(connection -> {
            var postgres = connection.unwrap(PGConnection.class);
            var come = postgres.getNotifications(); // those that came with the answer to a statement end no wait
            return List.of(come.length > 0 ? come : postgres.getNotifications(Math.toIntExact(slice.toMillis())));
        });
    }

    /** What a connection listens to. For the listener's thread. */
    private record Attention(DSLContext dsl, Map<ListenedTable, TableChannel> heard) {

        /** Listens to new tables, leaves those without workers, and takes and lets go of sleepers' locks. */
        void pay(Map<String, ListenedTable> tables) {
            tables.keySet()
                    .forEach(key -> tables.computeIfPresent(key, (same, table) -> {
                        if (!table.isDeserted()) {
                            return table;
                        }
                        leave(table);
                        return null;
                    }));
            tables.values().forEach(this::pay);
        }

        private void pay(ListenedTable table) {
            var channel = table.channel();
            if (!channel.equals(heard.get(table))) {
                leave(table);
                listen(table, channel);
            } else if (table.gate().wantsLock() && hasLocked(channel)) {
                table.gate().locked();
                table.wakeAll();
            } else if (table.gate().isLetGo(System.nanoTime())) {
                unlock(channel);
            }
        }

        private void listen(ListenedTable table, TableChannel channel) {
            dsl.execute("listen {0}", quotedName(channel.channel()));
            heard.put(table, channel);
            table.gate().listening(channel.announcement(), System.nanoTime());
            table.wakeAll();
        }

        private void leave(ListenedTable table) {
            var before = heard.remove(table);
            if (before != null) {
                dsl.execute("unlisten {0}", quotedName(before.channel()));
                if (table.gate().lost()) {
                    unlock(before);
                }
            }
        }

        void end() {
            List.copyOf(heard.keySet()).forEach(this::leave);
        }

        private boolean hasLocked(TableChannel channel) {
            return calls("pg_try_advisory_lock_shared", channel);
        }

        private void unlock(TableChannel channel) {
            calls("pg_advisory_unlock_shared", channel);
        }

        private boolean calls(String function, TableChannel channel) {
            Field<Boolean> call = function(function, SQLDataType.BOOLEAN, val(channel.sleepLock()));
            return Boolean.TRUE.equals(dsl.select(call).fetchSingle().value1());
        }

        void tell(PGNotification notification) {
            heard.forEach((table, channel) -> {
                if (channel.channel().equals(notification.getName())) {
                    table.wake(notification.getParameter());
                }
            });
        }
    }
}
