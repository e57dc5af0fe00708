package dev.dibs;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;

/** Tells failures of a database that is away, busy or read-only from its refusals of what it was asked. */
final class Outage {

    /** Connections, resources, operators, systems, locks, transactions that may not write or were rolled back. */
    private static final Set<String> STATES = Set.of("08", "25", "40", "53", "55", "57", "58");

    /** MySQL and MariaDB: too many connections, shutdowns, time limits, locks, and read-only servers. */
    private static final Set<Integer> MYSQL = Set.of(1040, 1053, 1205, 1213, 1290, 1317, 1792, 1836, 3024);

    /** SQLite: busy, locked, out of memory, read-only, I/O, full, cannot be opened. */
    private static final Set<Integer> SQLITE = Set.of(5, 6, 7, 8, 10, 13, 14);

    /** The part of a code of SQLite's that names its kind. */
    private static final int SQLITE_KIND = 0xff;

    private static final int CLASS_LENGTH = 2;

    private Outage() {}

    /** Whether the same would go well once the database is itself again. */
    static boolean isTold(Throwable failure) {
        return SqlCause.of(failure).filter(Outage::passes).isPresent();
    }

    private static boolean passes(SQLException sql) {
        return sql instanceof SQLTransientException
                || sql instanceof SQLRecoverableException
                || sql instanceof SQLNonTransientConnectionException
                || MYSQL.contains(sql.getErrorCode())
                || isOfState(sql.getSQLState(), sql.getErrorCode());
    }

    private static boolean isOfState(String state, int code) {
        return state == null
                ? SQLITE.contains(code & SQLITE_KIND)
                : state.length() > CLASS_LENGTH && STATES.contains(state.substring(0, CLASS_LENGTH));
    }
}
