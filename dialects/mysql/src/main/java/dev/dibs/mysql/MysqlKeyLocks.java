package dev.dibs.mysql;

import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.val;

import dev.dibs.spi.KeyLocks;
import dev.dibs.spi.QueueRef;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * MySQL's and MariaDB's named locks.
 *
 * <p>Their names belong to the whole server, have at most 64 characters and know no case: so a name is the hash of
 * database, table and text.
 */
final class MysqlKeyLocks implements KeyLocks<String> {

    private static final int BITS = 256;

    @Override
    public Field<String> key(QueueRef queue, Field<String> text) {
        var scoped = concat(
                bytes(database(queue)), inline("."), bytes(inline(queue.from().getName())), inline("."), bytes(text));
        return function("sha2", SQLDataType.VARCHAR, scoped, inline(BITS));
    }

    @Override
    public Condition isFree(DSLContext session, Field<String> key) {
        return isFree(key);
    }

    Condition isFree(Field<String> key) {
        return holder(key).isNull();
    }

    @Override
    public Condition isHeld(String key) {
        return holder(val(key)).eq(function("connection_id", SQLDataType.BIGINT));
    }

    @Override
    public boolean tryLock(DSLContext session, String key) {
        return is(session, function("get_lock", SQLDataType.INTEGER, val(key), inline(0)));
    }

    @Override
    public boolean unlock(DSLContext session, String key) {
        return is(session, function("release_lock", SQLDataType.INTEGER, val(key)));
    }

    private static boolean is(DSLContext session, Field<Integer> answer) {
        return Integer.valueOf(1).equals(session.select(answer).fetchSingle().value1());
    }

    private static Field<Long> holder(Field<String> key) {
        return function("is_used_lock", SQLDataType.BIGINT, key);
    }

    private static Field<String> database(QueueRef queue) {
        var schema = queue.from().getSchema();
        return schema == null || schema.getName().isEmpty()
                ? function("database", SQLDataType.VARCHAR)
                : inline(schema.getName());
    }

    // In one character set, whatever the session's: jOOQ cannot say it.
    private static Field<String> bytes(Field<String> text) {
        return field("convert({0} using utf8mb4)", SQLDataType.VARCHAR, text);
    }
}
