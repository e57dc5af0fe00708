package dev.dibs.spi;

import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;

/**
 * A database's locks on order keys, which a claim holds until its transaction has ended.
 *
 * <p>Two claims of one key can each see the other's row as nobody's: one has it locked and not committed, or committed it
 * after the other had begun to look. Who has the key's lock before it looks sees all that others have done under it.
 *
 * @param <K> the lock's own key
 */
public interface OrderLocks<K> {

    /** The lock's key for a text of a row of the queue's table. */
    Field<K> key(QueueRef queue, Field<String> text);

    /** True of a key that nobody holds. */
    Condition isFree(Field<K> key);

    /** Takes the key of the row that it is evaluated for, unless somebody has it. */
    Condition isTaken(Field<K> key);

    /**
     * Lets go of keys after the transaction, where they do not end with it.
     *
     * @return whether the session held all of them
     */
    boolean letGo(DSLContext session, List<K> keys);
}
