package dev.dibs.postgres;

import static org.jooq.impl.DSL.bitOr;
import static org.jooq.impl.DSL.cast;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.shl;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import dev.dibs.spi.KeyLocks;
import dev.dibs.spi.QueueRef;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.impl.SQLDataType;

/**
 * PostgreSQL's session advisory locks.
 *
 * <p>The key is 64 bits of hash of the text, seeded with the table's own number in the database, and so is another one
 * for each table.
 */
final class PostgresKeyLocks implements KeyLocks<Long> {

    private static final Name LOCKS = name("pg_locks");
    private static final int HALF = 32;

    @Override
    public Field<Long> key(QueueRef queue, Field<String> text) {
        return function("hashtextextended", SQLDataType.BIGINT, text, Catalog.number(queue.from()));
    }

    // From the view, and not by trying: a trial lock would keep out the one who asks at the same time.
    @Override
    public Condition isFree(DSLContext session, Field<Long> key) {
        return isFree(key);
    }

    Condition isFree(Field<Long> key) {
        return key.notIn(select(lockedKey()).from(table(LOCKS)).where(isAdvisoryLock()));
    }

    @Override
    public Condition isHeld(Long key) {
        return exists(selectOne()
                .from(table(LOCKS))
                .where(isAdvisoryLock())
                .and(field(LOCKS.append("pid"), SQLDataType.INTEGER)
                        .eq(function("pg_backend_pid", SQLDataType.INTEGER)))
                .and(lockedKey().eq(key)));
    }

    @Override
    public boolean tryLock(DSLContext session, Long key) {
        return is(session, "pg_try_advisory_lock", key);
    }

    @Override
    public boolean unlock(DSLContext session, Long key) {
        return is(session, "pg_advisory_unlock", key);
    }

    private static boolean is(DSLContext session, String function, Long key) {
        return session.select(function(function, SQLDataType.BOOLEAN, val(key)))
                .fetchSingle()
                .value1();
    }

    private static Condition isAdvisoryLock() {
        return field(LOCKS.append("locktype"), SQLDataType.VARCHAR)
                .eq(inline("advisory"))
                .and(field(LOCKS.append("objsubid"), SQLDataType.SMALLINT).eq(inline((short) 1)))
                .and(field(LOCKS.append("granted"), SQLDataType.BOOLEAN).isTrue())
                .and(field(LOCKS.append("database"), SQLDataType.BIGINT).eq(Catalog.database()));
    }

    private static Field<Long> lockedKey() {
        return bitOr(shl(half("classid"), inline(HALF)), half("objid"));
    }

    private static Field<Long> half(String column) {
        return cast(field(LOCKS.append(column)), SQLDataType.BIGINT);
    }
}
