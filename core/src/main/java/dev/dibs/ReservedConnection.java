package dev.dibs;

import dev.dibs.spi.PatientConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that a worker keeps for as long as it has leased rows in hand, so that it can settle them and extend
 * their leases however busy the pool is. Safe for any thread.
 *
 * <p>It is the one over which the first of them were claimed: a worker that gets no connection has nothing in hand. And
 * one that has nothing in hand keeps none, though a claim be under way, for that claim may be what waits for it.
 */
final class ReservedConnection {

    private static final Logger LOG = LoggerFactory.getLogger(ReservedConnection.class);

    private final InHand inHand;
    private final DSLContext pool;
    private final ConnectionProvider connections;
    private final Duration answer;
    private final DSLContext forSettling;
    private final Object lock = new Object();
    private @Nullable Connection reserved;
    private boolean inUse;
    private int claims;
    private boolean takesNoMore;

    /**
     * None is reserved yet.
     *
     * @param inHand the rows that it is for
     * @param answer how long a claim waits for answers
     * @param settling how long a settlement and an extension do
     */
    ReservedConnection(InHand inHand, DSLContext pool, Duration answer, Duration settling) {
        this.inHand = inHand;
        this.pool = pool;
        this.connections = pool.configuration().connectionProvider();
        this.answer = answer;
        this.forSettling = using(new Reserved(), settling);
    }

    private DSLContext using(ConnectionProvider provider, Duration patience) {
        return pool.configuration()
                .derive(new PatientConnections(provider, patience))
                .dsl();
    }

    /** Takes the reserved connection, for one thread at a time, or one of the pool. */
    DSLContext forSettling() {
        return forSettling;
    }

    /** Begins a claim, which may bring rows into the worker's hands; empty if no more may. */
    Optional<Claiming> claim() {
        synchronized (lock) {
            claims += takesNoMore ? 0 : 1;
            return takesNoMore ? Optional.empty() : Optional.of(new Claiming());
        }
    }

    /** Lets no more claims begin. */
    void takeNoMore() {
        synchronized (lock) {
            takesNoMore = true;
        }
    }

    /** Whether no claim is under way. */
    boolean isIdle() {
        synchronized (lock) {
            return claims == 0;
        }
    }

    /** Gives the connection back if there is nothing in hand that it is for. */
    void dropIfNothingInHand() {
        Connection dropped;
        synchronized (lock) {
            dropped = inHand.isEmpty() ? taken() : null;
        }
        release(dropped);
    }

    /** Gives the connection back, for it may no longer serve: the next use takes another one. */
    void drop() {
        Connection dropped;
        synchronized (lock) {
            dropped = taken();
        }
        release(dropped);
    }

    private @Nullable Connection taken() {
        if (inUse) {
            return null;
        }
        var taken = reserved;
        reserved = null;
        return taken;
    }

    // Whether it is reserved now: there is none yet, and rows that it is for.
    private boolean reserve(Connection connection) {
        if (reserved == null && !inHand.isEmpty() && !isClosed(connection)) {
            reserved = connection;
            return true;
        }
        return false;
    }

    // What was done on it is done, however it goes back.
    private void release(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connections.release(connection);
            }
        } catch (RuntimeException failed) {
            LOG.debug("a connection did not go back to its pool well", failed);
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException unusable) {
            return true;
        }
    }

    /** A claim under way, with a connection of the pool that it has to itself. For one thread. */
    final class Claiming implements ConnectionProvider, AutoCloseable {

        private @Nullable Connection own;

        /** For the claim's statements. */
        DSLContext dsl() {
            return using(this, answer);
        }

        @Override
        public @Nullable Connection acquire() {
            var kept = own;
            own = null;
            return kept == null ? connections.acquire() : kept;
        }

        @Override
        public void release(Connection connection) {
            if (own == null && !isClosed(connection)) {
                own = connection;
            } else {
                ReservedConnection.this.release(connection);
            }
        }

        /** Ends the claim: what it brought is in hand, and its connection is reserved if none is yet. */
        @Override
        public void close() {
            boolean isReserved;
            synchronized (lock) {
                claims--;
                isReserved = own != null && reserve(own);
            }
            if (!isReserved) {
                ReservedConnection.this.release(own);
            }
        }
    }

    private final class Reserved implements ConnectionProvider {

        @Override
        public @Nullable Connection acquire() {
            synchronized (lock) {
                if (reserved != null && !inUse) {
                    inUse = true;
                    return reserved;
                }
            }
            return connections.acquire();
        }

        @Override
        public void release(Connection connection) {
            boolean isReserved;
            synchronized (lock) {
                if (connection == reserved) {
                    inUse = false;
                    reserved = null;
                }
                isReserved = reserve(connection);
            }
            if (!isReserved) {
                ReservedConnection.this.release(connection);
            }
        }
    }
}
