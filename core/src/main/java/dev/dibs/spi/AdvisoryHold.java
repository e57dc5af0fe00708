package dev.dibs.spi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rows whose keys a session has locked; the locks end with the session. */
final class AdvisoryHold<K> implements Hold, OwnTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(AdvisoryHold.class);

    private final KeyLocks<K> locks;
    private final JdbcTransaction transaction;
    private final Session session;
    private final Map<K, Record> held = new LinkedHashMap<>();
    private boolean closed;

    AdvisoryHold(KeyLocks<K> locks, JdbcTransaction transaction, Session session) {
        this.locks = locks;
        this.transaction = transaction;
        this.session = session;
    }

    /** For statements in the session. */
    DSLContext dsl() {
        return session.dsl();
    }

    /** The rows that it holds. */
    List<Record> rows() {
        return List.copyOf(held.values());
    }

    /** Locks a key, and keeps the lock if there is a row then. */
    void take(K key, Supplier<Optional<Record>> row) {
        if (held.containsKey(key) || !locked(key)) {
            return;
        }
        Optional<Record> found = Optional.empty();
        try {
            found = row.get();
            found.ifPresent(present -> held.put(key, present));
        } finally {
            if (found.isEmpty()) {
                letGo(key);
            }
        }
    }

    // A lock whose answer did not come may have been taken.
    private boolean locked(K key) {
        try {
            return locks.tryLock(dsl(), key);
        } catch (Throwable failed) {
            session.abort();
            throw failed;
        }
    }

    @Override
    public Condition guard(List<Record> rows) {
        return DSL.and(rows.stream().map(row -> locks.isHeld(keyOf(row))).toList());
    }

    @Override
    public OwnTransaction settling() {
        return this;
    }

    @Override
    public <R> R run(DSLContext pool, Function<DSLContext, R> work) {
        requireSession();
        return transaction.run(dsl(), work);
    }

    @Override
    public <R> R single(DSLContext pool, Function<DSLContext, R> statement) {
        requireSession();
        return transaction.single(dsl(), statement);
    }

    @Override
    public HandlerTransaction begin(DSLContext pool) {
        return HandlerTransaction.begun(transaction.open(session));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                held.keySet().forEach(this::letGo);
            } finally {
                session.close();
            }
        }
    }

    // A lock that may still be there must not go back to the pool with its connection.
    private void letGo(K key) {
        try {
            if (locks.unlock(dsl(), key)) {
                return;
            }
            LOG.warn("the lock on key {} was gone before it was let go of; its connection is closed", key);
        } catch (DataAccessException failed) {
            LOG.warn("the lock on key {} could not be let go of; its connection is closed", key, failed);
        }
        session.abort();
    }

    private void requireSession() {
        if (!session.isAlive()) {
            throw new LostException("the session that held the lock on the message's key had ended", null);
        }
        session.limitAnswers();
    }

    private K keyOf(Record row) {
        return held.entrySet().stream()
                .filter(entry -> entry.getValue().equals(row))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
