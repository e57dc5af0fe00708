package dev.dibs.spi;

import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;

/** A database's own way to write many new rows, faster than by inserts that list their values. */
public interface BulkInsert {

    /**
     * Writes all rows in the transaction of the DSLContext, in their order; or none, if they are too few for it or not of
     * its kind.
     *
     * @param rows what each row's columns get: a value, or a jOOQ expression
     * @return whether they are written; if not, nothing has happened
     */
    boolean insert(DSLContext dsl, QueueRef queue, List<Map<Field<?>, Object>> rows);

    /** No way of its own. */
    static BulkInsert none() {
        return (dsl, queue, rows) -> false;
    }
}
