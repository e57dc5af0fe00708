package dev.dibs.benchmarks;

import java.sql.SQLException;
import javax.sql.DataSource;

/** What PostgreSQL has counted in a database. */
record Counters(long walBytes, long commits, long deadRows) {

    static Counters read(DataSource pool) throws SQLException {
        return new Counters(
                Sql.count(pool, "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"),
                Sql.count(pool, "select xact_commit from pg_stat_database where datname = current_database()"),
                Sql.count(pool, "select coalesce(sum(n_tup_upd + n_tup_del), 0) from pg_stat_user_tables"));
    }

    Counters since(Counters before) {
        return new Counters(walBytes - before.walBytes, commits - before.commits, deadRows - before.deadRows);
    }

    /** Adds the points of each counter for so many messages. */
    void addTo(Findings findings, Chart chart, String series, long messages) {
        add(findings, chart, series, "WAL bytes", (double) walBytes / messages);
        add(findings, chart, series, "commits", (double) commits / messages);
        add(findings, chart, series, "dead tuples", (double) deadRows / messages);
    }

    private static void add(Findings findings, Chart chart, String series, String counter, double value) {
        if (value > 0) {
            findings.point(new Point(chart, Database.POSTGRESQL, series, counter, value));
        }
    }
}
