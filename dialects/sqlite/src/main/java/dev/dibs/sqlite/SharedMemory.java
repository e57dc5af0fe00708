package dev.dibs.sqlite;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks whether a pool's connections would see one database, and whether it outlives them. */
final class SharedMemory {

    private static final Logger LOG = LoggerFactory.getLogger(SharedMemory.class);

    private SharedMemory() {}

    /** Refuses a private memory database, and warns of a shared one that nobody may be keeping open. */
    static void check(DSLContext dsl, QueueRef queue) {
        var database = dsl.connectionResult(Database::of);
        if (database.isMemory() && !database.isShared()) {
            throw new QueueException(
                    "%s: \"%s\" is an in-memory database of one connection, so each connection of a pool has a queue of its own; use a file, or file:NAME?mode=memory&cache=shared with one connection kept open"
                            .formatted(queue, database.name()));
        }
        if (database.isMemory()) {
            LOG.warn(
                    "{}: the in-memory database \"{}\" is gone with its last connection; keep one open for as long as the"
                            + " messages matter, for a pool may retire its own",
                    queue,
                    database.name());
        }
    }
}
