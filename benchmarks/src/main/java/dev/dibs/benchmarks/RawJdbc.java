package dev.dibs.benchmarks;

import dev.dibs.table.LockForm;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The least that a queue can do by hand: claim rows, and delete them.
 *
 * <p>Due times are compared with a constant. The lease form claims in one commit, where the database can in one statement,
 * and deletes in another; the row lock form does both in one transaction; the advisory form locks rows by their ids while it
 * reads them, deletes them, and lets the locks go. For one thread at a time.
 */
final class RawJdbc implements AutoCloseable {

    private static final long LEASE = TimeUnit.MICROSECONDS.convert(Duration.ofSeconds(30));

    private static final String DUE =
            "select id, payload from dibs_message where queue = ? and priority = 0 and due_at <= ?";

    private static final String IN_ORDER = " order by due_at, id limit ?";

    private static final String READY = DUE + " and (leased_until is null or leased_until <= ?)" + IN_ORDER;

    private static final String SKIP_LOCKED = READY + " for update skip locked";

    private static final String MARK =
            "update dibs_message set leased_until = ?, lease_token = 1, attempt = attempt + 1";

    private static final String POSTGRESQL_CLAIM = "with ready as materialized (" + SKIP_LOCKED + ") "
            + MARK.replace("dibs_message", "dibs_message m").replace("attempt + 1", "m.attempt + 1")
            + " from ready where m.id = ready.id returning m.id, m.payload";

    private static final String SQLITE_CLAIM =
            MARK + " where id in (" + READY.replace("id, payload", "id") + ") returning id, payload";

    private static final String ADVISORY_CLAIM = DUE + " and pg_try_advisory_lock(id)" + IN_ORDER;

    private static final String UNLOCK = "select pg_advisory_unlock(id) from unnest(?) id";

    private static final String DELETE_ONE = "delete from dibs_message where id = ?";

    private static final String DELETE_ANY = "delete from dibs_message where id = any(?)";

    private static final String STILL_LEASED = " and lease_token = 1";

    private final Database database;
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    RawJdbc(Connection connection, Database database) throws SQLException {
        this.database = database;
        this.connection = connection;
        if (!database.updatesAnswerWithRows()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    /** What the loops say, by what it is for. */
    static Map<String, String> statements(Database database) {
        var statements = new LinkedHashMap<String, String>();
        statements.put("lease: claim, one row or many", leaseClaim(database));
        if (!database.updatesAnswerWithRows()) {
            statements.put("lease: mark, in the claim's transaction", MARK + " where id in (..)");
        }
        statements.put("lease: settle one row", DELETE_ONE + STILL_LEASED);
        statements.put("lease: settle many rows", deleteMany(database) + STILL_LEASED);
        if (database.has(LockForm.ROW_LOCK)) {
            statements.put("row lock: claim and settle in one transaction", SKIP_LOCKED + ";\n" + deleteMany(database));
        }
        if (database.has(LockForm.ADVISORY)) {
            statements.put("advisory: claim, settle, let go", ADVISORY_CLAIM + ";\n" + DELETE_ANY + ";\n" + UNLOCK);
        }
        statements.put("enqueue", EnqueueBenchmark.INSERT);
        return statements;
    }

    private static String leaseClaim(Database database) {
        return switch (database) {
            case POSTGRESQL -> POSTGRESQL_CLAIM;
            case SQLITE -> SQLITE_CLAIM;
            case MYSQL, MARIADB -> SKIP_LOCKED;
        };
    }

    private static String deleteMany(Database database) {
        return database == Database.POSTGRESQL ? DELETE_ANY : "delete from dibs_message where id in (..)";
    }

    /** Claims and deletes up to so many rows in a form; how many were claimed. */
    int handle(LockForm form, int rows) throws SQLException {
        return switch (form) {
            case LEASE -> handleLeased(rows);
            case ROW_LOCK -> handleLocked(rows);
            case ADVISORY -> handleAdvisory(rows);
        };
    }

    private int handleLeased(int rows) throws SQLException {
        var ids = retried(() -> claimed(rows));
        retried(() -> settle(ids));
        return ids.size();
    }

    // MariaDB answers some claims that meet others with a deadlock.
    private <T> T retried(Step<T> step) throws SQLException {
        while (true) {
            try {
                return step.take();
            } catch (SQLTransactionRollbackException deadlock) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /** Deletes rows whose leases are held. */
    int settle(List<Long> ids) throws SQLException {
        return delete(ids, STILL_LEASED);
    }

    private int handleLocked(int rows) throws SQLException {
        return retried(() -> lockedAndDeleted(rows));
    }

    private int lockedAndDeleted(int rows) throws SQLException {
        connection.setAutoCommit(false);
        var ids = locked(rows);
        delete(ids, "");
        connection.commit();
        connection.setAutoCommit(true);
        return ids.size();
    }

    private int handleAdvisory(int rows) throws SQLException {
        var claim = prepared(ADVISORY_CLAIM);
        claim.setString(1, Backlog.QUEUE);
        claim.setLong(2, now());
        claim.setInt(3, rows);
        var ids = fetched(claim);
        if (!ids.isEmpty()) {
            delete(ids, "");
            var unlock = prepared(UNLOCK);
            unlock.setArray(1, array(ids));
            unlock.execute();
        }
        return ids.size();
    }

    private int delete(List<Long> ids, String condition) throws SQLException {
        if (ids.isEmpty()) {
            return 0;
        }
        var delete = prepared(deleteText(ids.size()) + condition);
        if (ids.size() > 1 && database == Database.POSTGRESQL) {
            delete.setArray(1, array(ids));
        } else {
            setIds(delete, 1, ids);
        }
        return delete.executeUpdate();
    }

    private String deleteText(int rows) {
        if (rows == 1) {
            return DELETE_ONE;
        }
        return database == Database.POSTGRESQL ? DELETE_ANY : "delete from dibs_message where " + in(rows);
    }

    private static void setIds(PreparedStatement statement, int first, List<Long> ids) throws SQLException {
        for (int place = 0; place < ids.size(); place++) {
            statement.setLong(first + place, ids.get(place));
        }
    }

    private Array array(List<Long> ids) throws SQLException {
        return connection.createArrayOf("bigint", ids.toArray());
    }

    private PreparedStatement prepared(String text) throws SQLException {
        var known = prepared.get(text);
        if (known == null) {
            known = connection.prepareStatement(text);
            prepared.put(text, known);
        }
        return known;
    }

    /** Claims up to so many rows by leases, and commits. */
    List<Long> claimed(int rows) throws SQLException {
        return database.updatesAnswerWithRows() ? updated(rows) : lockedAndMarked(rows);
    }

    private List<Long> updated(int rows) throws SQLException {
        var claim = prepared(leaseClaim(database));
        var now = now();
        var first = database == Database.SQLITE ? 1 : 5; // where the lease's end stands
        claim.setLong(first, now + LEASE);
        setRange(claim, database == Database.SQLITE ? 2 : 1, now, rows);
        return fetched(claim);
    }

    private List<Long> lockedAndMarked(int rows) throws SQLException {
        connection.setAutoCommit(false);
        var ids = locked(rows);
        if (!ids.isEmpty()) {
            var mark = prepared(MARK + " where " + in(ids.size()));
            mark.setLong(1, now() + LEASE);
            setIds(mark, 2, ids);
            mark.executeUpdate();
        }
        connection.commit();
        connection.setAutoCommit(true);
        return ids;
    }

    private List<Long> locked(int rows) throws SQLException {
        var claim = prepared(SKIP_LOCKED);
        setRange(claim, 1, now(), rows);
        return fetched(claim);
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
                rows.getString(2); // the payload, which a handler needs
            }
        }
        return ids;
    }

    private static String in(int rows) {
        return "id in (%s)".formatted(String.join(",", Collections.nCopies(rows, "?")));
    }

    private static long now() {
        return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    }

    @Override
    public void close() throws SQLException {
        for (var statement : prepared.values()) {
            statement.close();
        }
    }

    /** Something that is tried again after a deadlock. */
    @FunctionalInterface
    private interface Step<T> {
        T take() throws SQLException;
    }
}
