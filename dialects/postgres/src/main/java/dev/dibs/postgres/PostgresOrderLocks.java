package dev.dibs.postgres;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.function;

import dev.dibs.spi.OrderLocks;
import dev.dibs.spi.QueueRef;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** PostgreSQL's advisory locks of a transaction: they end when its changes are seen, behind a pooler too. */
final class PostgresOrderLocks implements OrderLocks<Long> {

    private final PostgresKeyLocks keys = new PostgresKeyLocks();

    @Override
    public Field<Long> key(QueueRef queue, Field<String> text) {
        return keys.key(queue, text);
    }

    @Override
    public Condition isFree(Field<Long> key) {
        return keys.isFree(key);
    }

    @Override
    public Condition isTaken(Field<Long> key) {
        return condition(function("pg_try_advisory_xact_lock", SQLDataType.BOOLEAN, key));
    }

    @Override
    public boolean letGo(DSLContext session, List<Long> ended) {
        return true;
    }
}
