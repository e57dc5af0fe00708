package dev.dibs.spi;

import dev.dibs.table.QueueException;
import java.util.ServiceLoader;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;

/**
 * A database as a home of queues.
 *
 * <p>Found by {@link java.util.ServiceLoader}; stateless and safe for any thread. A form that the database cannot hold
 * is refused, never replaced by a weaker one.
 */
public interface Dialect {

    /**
     * The one that serves a DSLContext's database.
     *
     * @param who asks, for the message
     * @throws dev.dibs.table.QueueException if there is none on the class path
     */
    static Dialect of(DSLContext dsl, String who) {
        return ServiceLoader.load(Dialect.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(dialect -> dialect.serves(dsl.dialect().family()))
                .findFirst()
                .orElseThrow(() -> new QueueException(
                        "%s: no dialect serves %s; add dibs-postgres, dibs-mysql (which serves MariaDB too) or dibs-sqlite to the class path, and give the DSLContext the SQLDialect of its database"
                                .formatted(who, dsl.dialect().getName())));
    }

    /** Whether this dialect speaks to databases of that jOOQ family. */
    boolean serves(SQLDialect family);

    /**
     * The claim for a queue's lock form.
     *
     * @throws dev.dibs.table.QueueException if this database cannot hold rows in that form
     */
    Claim claim(QueueRef queue);

    /** How statements of Dibs' own are run: at READ COMMITTED, or the nearest that the database has. */
    JdbcTransaction transaction();

    /**
     * Refuses what would go wrong later, before a worker starts: a server that is another or too old, a table that is not
     * as it is mapped ({@link TableCheck}), sessions and locks that do not hold what a claim needs.
     *
     * @throws dev.dibs.table.QueueException naming what was seen and the remedy
     */
    void check(DSLContext dsl, QueueRef queue);

    /**
     * Refuses what an insert would do wrong without a word; called on the connection of a queue's first message.
     *
     * @throws dev.dibs.table.QueueException naming what was seen and the remedy
     */
    default void checkEnqueue(DSLContext dsl, QueueRef queue) {}

    /** Whether the driver waits such that a virtual thread lets go of its carrier. */
    default boolean suitsVirtualThreads() {
        return true;
    }

    /** How processes hear of each other, where the database has a way. */
    default Wakeups wakeups() {
        return Wakeups.none();
    }

    /** Whether what others write is found by polling only, so that a worker looks more often while it finds something. */
    default boolean needsQuickPolls() {
        return false;
    }

    /** How very many rows are written, where the database has a way of its own. */
    default BulkInsert bulkInsert() {
        return BulkInsert.none();
    }
}
