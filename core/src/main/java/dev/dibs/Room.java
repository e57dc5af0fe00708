package dev.dibs;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jooq.Configuration;

/**
 * How many connections of a pool may hold claimed rows at once, for all workers of it together.
 *
 * <p>Handlers use the same pool. If claims took all of it, every handler would wait for a connection that only another
 * handler's end gives back. So one is always left, and what settles leases is left out of it: a pool too small slows.
 */
final class Room {

    /** A claim, and the connection that settles. */
    private static final int OF_A_LEASING_WORKER = 2;

    private static final int LEFT_FOR_HANDLERS = 1;

    /** One to hold rows, and one for their handler. */
    static final int LEAST = 2;

    private static final int LOOK_AGAIN_MILLIS = 100;

    private final int poolSize;
    private final Places places;
    private int kept;

    private Room(int poolSize) {
        this.poolSize = poolSize;
        this.places = new Places(Math.max(1, poolSize - LEFT_FOR_HANDLERS));
    }

    /** Gives the size of the pool behind a configuration, and all that are derived from it. */
    static void ofPool(Configuration configuration, int size) {
        configuration.data().computeIfAbsent(Room.class, key -> new Room(size));
    }

    /** The room of a pool, if its size is known. */
    static Optional<Room> of(Configuration configuration) {
        return Optional.ofNullable((Room) configuration.data().get(Room.class));
    }

    /**
     * Does without connections that something else keeps for itself, however often it is told of them.
     *
     * @throws QueueException if too few are left for a queue
     */
    synchronized void keep(int connections, QueueRef queue) {
        if (poolSize - connections < LEAST) {
            throw new QueueException(
                    "%s: the pool size is %d, and notifications are listened to on %d of its connections; give the pool at least %d, or let them listen on another one by listenOn(..)"
                            .formatted(queue, poolSize, connections, LEAST + connections));
        }
        if (connections > kept) {
            places.reduce(connections - kept);
            kept = connections;
        }
    }

    /** A worker of the lease form works beside, until the answer is run. */
    Runnable reserve() {
        var less = places.reduce(OF_A_LEASING_WORKER);
        return () -> places.enlarge(less);
    }

    /** Takes a connection's place, as soon as there is one; false if it ended before, or this thread was interrupted. */
    boolean enter(BooleanSupplier ended) {
        try {
            while (!ended.getAsBoolean()) {
                if (places.tryAcquire(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    void leave() {
        places.release();
    }

    /** In the order of their coming, so that every worker gets its turn. */
    private static final class Places extends Semaphore {

        private static final long serialVersionUID = 1L;

        private int size;

        Places(int size) {
            super(size, true);
            this.size = size;
        }

        /** Makes it smaller, but leaves one; answers by how many. */
        synchronized int reduce(int by) {
            var less = Math.min(by, size - 1);
            size -= less;
            reducePermits(less);
            return less;
        }

        synchronized void enlarge(int by) {
            size += by;
            release(by);
        }
    }
}
