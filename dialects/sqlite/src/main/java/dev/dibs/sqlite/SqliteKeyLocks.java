package dev.dibs.sqlite;

import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.noCondition;

import dev.dibs.spi.KeyLocks;
import dev.dibs.spi.QueueRef;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;

/** Locks on keys within this process: SQLite has none, so no other process may claim from the file. */
final class SqliteKeyLocks implements KeyLocks<String> {

    // One for the process: pools that know nothing of each other meet here, as they do in the file.
    private static final Map<String, Set<String>> HELD = new ConcurrentHashMap<>();

    @Override
    public Field<String> key(QueueRef queue, Field<String> text) {
        return concat(inline(queue.from().getName() + "."), text);
    }

    @Override
    public Condition isFree(DSLContext session, Field<String> key) {
        var taken = held(session);
        return taken.isEmpty() ? noCondition() : key.notIn(Set.copyOf(taken));
    }

    // What this process remembers does not end with a connection.
    @Override
    public Condition isHeld(String key) {
        return noCondition();
    }

    @Override
    public boolean tryLock(DSLContext session, String key) {
        return held(session).add(key);
    }

    @Override
    public boolean unlock(DSLContext session, String key) {
        return held(session).remove(key);
    }

    // Asked once for a session: a connection that was closed underneath cannot tell any more.
    private static Set<String> held(DSLContext session) {
        var database = (String) session.data()
                .computeIfAbsent(
                        SqliteKeyLocks.class,
                        key -> session.connectionResult(Database::of).name());
        return HELD.computeIfAbsent(database, name -> ConcurrentHashMap.newKeySet());
    }
}
