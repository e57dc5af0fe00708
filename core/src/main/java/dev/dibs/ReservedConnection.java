package dev.dibs;

import dev.dibs.spi.PatientConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that a worker keeps for as long as it has leased rows in hand, so that it can settle them and extend
 * their leases however busy the pool is. Safe for any thread.
 *
 * <p>It is the one over which the first of them were claimed: a worker that gets no connection has nothing in hand.
 */
final class ReservedConnection {

    private static final Logger LOG = LoggerFactory.getLogger(ReservedConnection.class);

    private final ConnectionProvider pool;
    private final DSLContext forClaims;
    private final DSLContext forSettling;
    private final Object lock = new Object();
    private @Nullable Connection reserved;
    private boolean inUse;
    private int claims;
    private boolean takesNoMore;

    /**
     * None is reserved yet.
     *
     * @param answer how long a claim waits for answers
     * @param settling how long a settlement and an extension do
     */
    ReservedConnection(DSLContext pool, Duration answer, Duration settling) {
        this.pool = pool.configuration().connectionProvider();
        this.forClaims = using(pool, answer, this.pool::acquire);
        this.forSettling = using(pool, settling, this::takeReserved);
    }

    private DSLContext using(DSLContext pool, Duration answer, Supplier<@Nullable Connection> source) {
        return PatientConnections.of(
                pool.configuration().derive(provider(source)).dsl(), answer);
    }

    /** Takes connections of the pool, and keeps the first one that comes back. */
    DSLContext forClaims() {
        return forClaims;
    }

    /** Takes the reserved connection, for one thread at a time. */
    DSLContext forSettling() {
        return forSettling;
    }

    private ConnectionProvider provider(Supplier<@Nullable Connection> source) {
        return new ConnectionProvider() {
            @Override
            public @Nullable Connection acquire() {
                return source.get();
            }

            @Override
            public void release(Connection connection) {
                giveBack(connection);
            }
        };
    }

    private @Nullable Connection takeReserved() {
        synchronized (lock) {
            if (reserved != null && !inUse) {
                inUse = true;
                return reserved;
            }
        }
        return pool.acquire();
    }

    private void giveBack(Connection connection) {
        synchronized (lock) {
            if (connection == reserved) {
                inUse = false;
                if (!isClosed(connection)) {
                    return;
                }
                reserved = null;
            } else if (reserved == null && !isClosed(connection)) {
                reserved = connection;
                return;
            }
        }
        release(connection);
    }

    // What was done on it is done, however it goes back.
    private void release(Connection connection) {
        try {
            pool.release(connection);
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

    /** A claim begins, which may bring rows into the worker's hands; false if no more may. */
    boolean claimBegins() {
        synchronized (lock) {
            claims += takesNoMore ? 0 : 1;
            return !takesNoMore;
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

    /** A claim has ended, and what it brought is in hand. */
    void claimEnds(boolean nothingInHand) {
        synchronized (lock) {
            claims--;
        }
        if (nothingInHand) {
            nothingInHand();
        }
    }

    /** Gives the connection back, unless a claim is under way that may need it. */
    void nothingInHand() {
        if (isIdle()) {
            drop();
        }
    }

    /** Gives the connection back, for it may no longer serve: the next use takes another one. */
    void drop() {
        Connection dropped;
        synchronized (lock) {
            if (inUse || reserved == null) {
                return;
            }
            dropped = reserved;
            reserved = null;
        }
        release(dropped);
    }
}
