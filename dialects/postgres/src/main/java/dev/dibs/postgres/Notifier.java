package dev.dibs.postgres;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.val;

import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.PatientConnections;
import dev.dibs.wake.PushWindow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.DSLContext;
import org.jooq.Name;
import org.jooq.impl.SQLDataType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other instances, after a commit, of what was committed: notifications, gathered for a moment.
 *
 * <p>Safe for any thread, and asks the database nothing on the caller's. Its thread takes a connection of the pool for each
 * statement, one for each channel however many payloads there are, for each of them takes a lock that is global to the
 * server. Where other instances are not to be told there is no notifier: one that sent nothing would only gather.
 *
 * <p>Nothing is thrown for a notification that cannot be sent. What it tells of is committed by then, and whoever enqueued
 * it must not take it for failed.
 */
final class Notifier implements AutoCloseable {

    /** Short beside a poll, and long beside the commits of a busy table. */
    static final Duration WINDOW = Duration.ofMillis(10);

    /** As long as an idle session is given to say that it is there. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int LONGEST_CHANNEL = 63;
    private static final int LONGEST_PAYLOAD = 7_999;

    private static final JdbcTransaction TRANSACTION = JdbcTransaction.ofDriver();

    private static final Name WAITING = name("waiting");
    private static final Name PAYLOAD = name("payload");

    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);

    private final DSLContext pool;
    private final Channels channels;
    private final PushWindow window;
    private final Set<String> refusing = ConcurrentHashMap.newKeySet();

    /**
     * Notifies over connections of the pool.
     *
     * @param window for how long notifications are gathered after one was sent; zero for not at all
     */
    Notifier(DSLContext dsl, Duration window, Channels channels) {
        this.pool = PatientConnections.of(dsl, PATIENCE);
        this.channels = channels;
        this.window = PushWindow.open("dibs-notifier", window, this::push);
    }

    /** Has a payload sent to those who listen to a topic's channel; nothing after the close. */
    void notify(String topic, String payload) {
        if (bytes(payload) <= LONGEST_PAYLOAD) {
            window.add(topic, payload);
        } else {
            refuse(
                    topic,
                    "a payload has %d bytes, and PostgreSQL takes %d; send a key of it, or an empty payload"
                            .formatted(bytes(payload), LONGEST_PAYLOAD));
        }
    }

    /** Sends what waits, bounded by {@link PushWindow}'s patience; to be called before the pool is closed. */
    @Override
    public void close() {
        window.close();
    }

    private void push(String topic, Collection<String> payloads) {
        channels.of(topic)
                .filter(this::isKept)
                .ifPresent(to -> TRANSACTION.single(pool, own -> send(own, to, payloads)));
    }

    private boolean isKept(String channel) {
        var isKept = bytes(channel) <= LONGEST_CHANNEL;
        if (!isKept) {
            refuse(
                    channel,
                    "its name has %d bytes, and PostgreSQL keeps %d; take a hash of it, as TableChannel does"
                            .formatted(bytes(channel), LONGEST_CHANNEL));
        }
        return isKept;
    }

    private static int send(DSLContext dsl, String channel, Collection<String> payloads) {
        var waiting = val(payloads.toArray(String[]::new), SQLDataType.CLOB.array());
        return dsl.select(function(
                        "pg_notify",
                        SQLDataType.OTHER,
                        val(channel, SQLDataType.CLOB),
                        field(WAITING.append(PAYLOAD), SQLDataType.CLOB)))
                .from(unnest(waiting).as(WAITING, PAYLOAD))
                .execute();
    }

    // The server would refuse the whole statement. One line for each channel, since the same is true of the next
    // payload.
    private void refuse(String channel, String why) {
        if (refusing.add(channel)) {
            LOG.warn("channel {}: such notifications are dropped: {}", channel, why);
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Where the payloads of a topic are sent; asked on the notifier's own thread, for each push. */
    @FunctionalInterface
    interface Channels {

        /** Empty for nowhere. */
        Optional<String> of(String topic);
    }
}
