package dev.dibs.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.StringJoiner;

/** The least that a lease queue can do by hand: claim rows in one statement, and delete them in another. */
final class RawJdbc implements AutoCloseable {

    private static final String POSTGRESQL_CLAIM = """
            with ready as materialized (
              select id from dibs_message where queue = ? and priority = 0
              and due_at <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
              and (leased_until is null or leased_until <= (extract(epoch from statement_timestamp()) * 1000000)::bigint)
              order by due_at, id limit ? for update skip locked)
            update dibs_message m set leased_until = (extract(epoch from statement_timestamp()) * 1000000)::bigint + 30000000,
              lease_token = 1, attempt = attempt + 1
            from ready where m.id = ready.id returning m.id, m.payload""";

    private static final String SQLITE_CLAIM = """
            update dibs_message set leased_until = cast(strftime('%s', 'now') as integer) * 1000000 + 30000000,
              lease_token = 1, attempt = attempt + 1
            where id in (
              select id from dibs_message where queue = ? and priority = 0
              and due_at <= cast(strftime('%s', 'now') as integer) * 1000000 + 1000000
              and (leased_until is null or leased_until <= cast(strftime('%s', 'now') as integer) * 1000000)
              order by due_at, id limit ?)
            returning id, payload""";

    private static final String POSTGRESQL_DELETE_MANY =
            "delete from dibs_message where id = any(string_to_array(?, ',')::bigint[]) and lease_token = 1";

    private static final String SQLITE_DELETE_MANY =
            "delete from dibs_message where id in (select value from json_each('[' || ? || ']')) and lease_token = 1";

    private static final String DELETE = "delete from dibs_message where id = ? and lease_token = 1";

    private final PreparedStatement claim;
    private final PreparedStatement delete;
    private final PreparedStatement deleteMany;

    RawJdbc(Connection connection, String database) throws SQLException {
        var isSqlite = "sqlite".equals(database);
        this.claim = connection.prepareStatement(isSqlite ? SQLITE_CLAIM : POSTGRESQL_CLAIM);
        this.deleteMany = connection.prepareStatement(isSqlite ? SQLITE_DELETE_MANY : POSTGRESQL_DELETE_MANY);
        this.delete = connection.prepareStatement(DELETE);
    }

    /** Claims and deletes one row; false if there was none. */
    boolean handleOne() throws SQLException {
        claim.setString(1, Backlog.QUEUE);
        claim.setInt(2, 1);
        var id = 0L;
        try (var rows = claim.executeQuery()) {
            if (!rows.next()) {
                return false;
            }
            id = rows.getLong(1);
        }
        delete.setLong(1, id);
        delete.executeUpdate();
        return true;
    }

    /** Claims and deletes up to so many rows; false if there was none. */
    boolean handleMany(int rows) throws SQLException {
        claim.setString(1, Backlog.QUEUE);
        claim.setInt(2, rows);
        var ids = new StringJoiner(",");
        try (var claimed = claim.executeQuery()) {
            while (claimed.next()) {
                ids.add(claimed.getString(1));
                claimed.getString(2);
            }
        }
        if (ids.length() == 0) {
            return false;
        }
        deleteMany.setString(1, ids.toString());
        deleteMany.executeUpdate();
        return true;
    }

    @Override
    public void close() throws SQLException {
        claim.close();
        delete.close();
        deleteMany.close();
    }
}
