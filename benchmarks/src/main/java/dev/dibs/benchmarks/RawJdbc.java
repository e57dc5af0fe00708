package dev.dibs.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/**
 * The least that a queue can do by hand: claim rows, and delete them.
 *
 * <p>Due times are compared with a constant. The lease form claims in one commit, where the database can in one statement,
 * and deletes in another; the row lock form does both in one transaction.
 */
final class RawJdbc implements AutoCloseable {

    private static final long LEASE = TimeUnit.MICROSECONDS.convert(Duration.ofSeconds(30));

    private static final String READY = """
            select id, payload from dibs_message where queue = ? and priority = 0 and due_at <= ?
            and (leased_until is null or leased_until <= ?) order by due_at, id limit ?""";

    private static final String SKIP_LOCKED = READY + " for update skip locked";

    private static final String MARK =
            "update dibs_message set leased_until = ?, lease_token = 1, attempt = attempt + 1";

    private static final String POSTGRESQL_CLAIM = "with ready as materialized (" + SKIP_LOCKED + ") "
            + MARK.replace("dibs_message", "dibs_message m").replace("attempt + 1", "m.attempt + 1")
            + " from ready where m.id = ready.id returning m.id, m.payload";

    private static final String SQLITE_CLAIM =
            MARK + " where id in (" + READY.replace("id, payload", "id") + ") returning id, payload";

    private static final String DELETE = "delete from dibs_message where id = ? and lease_token = 1";

    private static final String DELETE_LOCKED = "delete from dibs_message where id = ?";

    private final Database database;
    private final Connection connection;
    private final PreparedStatement claim;
    private final PreparedStatement lock;
    private final PreparedStatement delete;
    private final PreparedStatement deleteLocked;

    RawJdbc(Connection connection, Database database) throws SQLException {
        this.database = database;
        this.connection = connection;
        this.claim = connection.prepareStatement(
                switch (database) {
                    case POSTGRESQL -> POSTGRESQL_CLAIM;
                    case SQLITE -> SQLITE_CLAIM;
                    case MYSQL, MARIADB -> SKIP_LOCKED;
                });
        this.lock = connection.prepareStatement(database == Database.SQLITE ? READY : SKIP_LOCKED);
        this.delete = connection.prepareStatement(DELETE);
        this.deleteLocked = connection.prepareStatement(DELETE_LOCKED);
        if (!database.updatesAnswerWithRows()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    /** Leases and deletes one row; how many there were. */
    int handleOne() throws SQLException {
        var ids = claimed(1);
        for (var id : ids) {
            delete.setLong(1, id);
            delete.executeUpdate();
        }
        return ids.size();
    }

    /** Leases and deletes up to so many rows; how many there were. */
    int handleMany(int rows) throws SQLException {
        var ids = claimed(rows);
        if (!ids.isEmpty()) {
            try (var statement = connection.createStatement()) {
                statement.executeUpdate("delete from dibs_message where " + in(ids) + " and lease_token = 1");
            }
        }
        return ids.size();
    }

    /** Locks and deletes one row, in one transaction; how many there were. */
    int handleLocked() throws SQLException {
        connection.setAutoCommit(false);
        var ids = ids(lock, 1);
        for (var id : ids) {
            deleteLocked.setLong(1, id);
            deleteLocked.executeUpdate();
        }
        connection.commit();
        connection.setAutoCommit(true);
        return ids.size();
    }

    private List<Long> claimed(int rows) throws SQLException {
        return database.updatesAnswerWithRows() ? updated(rows) : lockedAndMarked(rows);
    }

    private List<Long> updated(int rows) throws SQLException {
        var now = now();
        var first = database == Database.SQLITE ? 1 : 5; // where the lease's end stands
        claim.setLong(first, now + LEASE);
        setRange(claim, database == Database.SQLITE ? 2 : 1, now, rows);
        return fetched(claim);
    }

    private List<Long> lockedAndMarked(int rows) throws SQLException {
        connection.setAutoCommit(false);
        var ids = ids(claim, rows);
        if (!ids.isEmpty()) {
            try (var mark = connection.prepareStatement(MARK + " where " + in(ids))) {
                mark.setLong(1, now() + LEASE);
                mark.executeUpdate();
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
        return ids;
    }

    private static List<Long> ids(PreparedStatement select, int rows) throws SQLException {
        setRange(select, 1, now(), rows);
        return fetched(select);
    }

    private static void setRange(PreparedStatement statement, int first, long now, int rows) throws SQLException {
        statement.setString(first, Backlog.QUEUE);
        statement.setLong(first + 1, now);
        statement.setLong(first + 2, now);
        statement.setInt(first + 3, rows);
    }

    private static List<Long> fetched(PreparedStatement statement) throws SQLException {
        var ids = new ArrayList<Long>();
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
                rows.getString(2);
            }
        }
        return ids;
    }

    private static String in(List<Long> ids) {
        var list = new StringJoiner(",", "id in (", ")");
        ids.forEach(id -> list.add(id.toString()));
        return list.toString();
    }

    private static long now() {
        return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    }

    @Override
    public void close() throws SQLException {
        claim.close();
        lock.close();
        delete.close();
        deleteLocked.close();
    }

    /** One turn of a raw loop: how many rows it has handled. */
    @FunctionalInterface
    interface Turn {
        int handled(RawJdbc raw) throws SQLException;
    }
}
