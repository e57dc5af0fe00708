package dev.dibs.spi;

import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;

/**
 * A database's locks on keys, apart from any row.
 *
 * <p>A key is a text and the table that it belongs to; the database renders both to the lock's own key. Two tables, and
 * two applications in one server, never meet on one, but by a collision of 64 bits, which costs a delay and no more.
 *
 * @param <K> the lock's own key
 */
public interface KeyLocks<K> {

    /** The lock's key for a text of a row of the queue's table. */
    Field<K> key(QueueRef queue, Field<String> text);

    /** True of a key that nobody holds. */
    Condition isFree(DSLContext session, Field<K> key);

    /** True while the session that runs the statement holds the key. */
    Condition isHeld(K key);

    /** Takes the key, unless somebody has it. */
    boolean tryLock(DSLContext session, K key);

    /**
     * Lets go of the key.
     *
     * @return whether the session held it
     */
    boolean unlock(DSLContext session, K key);
}
