package dev.dibs.sqlite;

import dev.dibs.spi.JdbcTransaction;
import dev.dibs.table.QueueException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The write transactions of this process: one after the other for each database, in the order of their coming.
 *
 * <p>SQLite has one writer, and its own waiting sleeps and is not fair, so the writers of one process queue up here and
 * meet only other processes there. Each begins with the write lock: a transaction that reads first and writes later
 * fails at once when somebody else has written in between, whatever the busy timeout says.
 */
final class SqliteWriter implements JdbcTransaction.Boundary {

    // One for the process, as the file's lock is: pools that know nothing of each other meet here.
    private static final Map<String, Writer> WRITERS = new ConcurrentHashMap<>();

    // Kept from begin to end: a connection that was closed underneath cannot tell any more which database it had open.
    private final Map<Connection, Writer> held = Collections.synchronizedMap(new IdentityHashMap<>());

    @Override
    public void begin(Connection connection) throws SQLException {
        var writer = writer(connection);
        if (writer.turn().isHeldByCurrentThread()) {
            throw new QueueException(
                    "database %s: this thread has its one write transaction open and would wait for itself; inside transact(..) write with tx, and enqueue with queue.enqueue(tx, ..)"
                            .formatted(Database.of(connection).name()));
        }
        writer.turn().lock();
        try {
            execute(connection, "begin immediate");
            held.put(connection, writer);
        } catch (Throwable failed) {
            writer.turn().unlock();
            throw failed;
        }
    }

    @Override
    public void commit(Connection connection) throws SQLException {
        execute(connection, "commit");
        Optional.ofNullable(held.get(connection))
                .ifPresent(writer -> writer.commits().incrementAndGet());
        letGo(connection);
    }

    @Override
    public void rollback(Connection connection) throws SQLException {
        try {
            execute(connection, "rollback");
        } finally {
            letGo(connection);
        }
    }

    @Override
    public boolean isNeededForOneStatement() {
        return true;
    }

    @Override
    public boolean isHeldByThisThread() {
        return WRITERS.values().stream().anyMatch(writer -> writer.turn().isHeldByCurrentThread());
    }

    private void letGo(Connection connection) {
        Optional.ofNullable(held.remove(connection))
                .ifPresent(writer -> writer.turn().unlock());
    }

    /** How often Dibs has committed in this process to the database of that name. */
    static long commits(String database) {
        return writer(database).commits().get();
    }

    private static Writer writer(Connection connection) throws SQLException {
        return writer(Database.of(connection).name());
    }

    private static Writer writer(String database) {
        return WRITERS.computeIfAbsent(database, name -> new Writer(new ReentrantLock(true), new AtomicLong()));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A database's one writer of this process: whose turn it is, and what was committed. */
    private record Writer(ReentrantLock turn, AtomicLong commits) {}
}
