package dev.dibs.mysql;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.val;

import dev.dibs.spi.OrderLocks;
import dev.dibs.spi.QueueRef;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** MySQL's and MariaDB's named locks: they do not end with a transaction, and are let go of after it. */
final class MysqlOrderLocks implements OrderLocks<String> {

    private final MysqlKeyLocks keys = new MysqlKeyLocks();

    @Override
    public Field<String> key(QueueRef queue, Field<String> text) {
        return keys.key(queue, text);
    }

    @Override
    public Condition isFree(Field<String> key) {
        return keys.isFree(key);
    }

    @Override
    public Condition isTaken(Field<String> key) {
        return function("get_lock", SQLDataType.INTEGER, key, inline(0)).eq(inline(1));
    }

    @Override
    public boolean letGo(DSLContext session, List<String> held) {
        return session.select(held.stream()
                        .map(key -> function("release_lock", SQLDataType.INTEGER, val(key)))
                        .toList())
                .fetchSingle()
                .intoStream()
                .allMatch(Integer.valueOf(1)::equals);
    }
}
