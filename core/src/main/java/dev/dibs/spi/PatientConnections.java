package dev.dibs.spi;

import java.sql.Connection;
import java.time.Duration;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Connections whose answers are waited for only so long, so that a server that froze, or a network that swallows bytes,
 * holds no thread for ever. A {@link Session} on one sees to it, but not while a handler uses it.
 *
 * @param connections the pool behind it
 * @param patience how long; a driver ends the connection then
 */
public record PatientConnections(ConnectionProvider connections, Duration patience) implements ConnectionProvider {

    /** The same DSLContext on such connections. */
    public static DSLContext of(DSLContext pool, Duration patience) {
        var connections = pool.configuration().connectionProvider();
        return pool.configuration()
                .derive(new PatientConnections(connections, patience))
                .dsl();
    }

    /** The patience of a pool in milliseconds; 0 where it is endless. */
    static int millisOf(ConnectionProvider pool) {
        return pool instanceof PatientConnections patient ? Math.toIntExact(patient.patience.toMillis()) : 0;
    }

    @Override
    public @Nullable Connection acquire() {
        return connections.acquire();
    }

    @Override
    public void release(Connection connection) {
        connections.release(connection);
    }
}
