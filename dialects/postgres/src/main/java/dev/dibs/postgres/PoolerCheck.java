package dev.dibs.postgres;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.Session;
import dev.dibs.spi.TwoConnections;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Name;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.SQLDataType;
import org.postgresql.PGConnection;

/**
 * Refuses what a pooler does not keep that lends server connections by the transaction: locks of a session, and statements
 * that the driver has prepared in one.
 *
 * <p>A lock would be left with a server connection that others get next, and a statement's name may be that of another
 * statement on the next server connection, which would be executed in its place. Nothing is locked to find that out.
 */
record PoolerCheck(DSLContext dsl, QueueRef queue, JdbcTransaction transaction) {

    private static final int QUESTIONS = 4;

    private static final Name PREPARED = name("pg_prepared_statements");
    private static final Name STATEMENT = PREPARED.append("statement");
    private static final Name STATEMENT_NAME = PREPARED.append("name");

    /** With what the driver begins the names that it gives to statements; a pooler that keeps them gives its own. */
    private static final String NAMED_BY_DRIVER = "S_";

    /** There is one of this name already, or none. */
    private static final Set<String> NAME_IS_ANOTHERS = Set.of("42P05", "26000");

    void run() {
        try {
            if (isBehindPooler() && isLentByTheTransaction()) {
                requireNoLocksOfSessions();
                requireStatementsKept();
            }
        } catch (DataAccessException failed) { // the driver names its own statements, too
            throw NAME_IS_ANOTHERS.contains(failed.sqlState())
                    ? new QueueException(statementsAreNotKept(), failed)
                    : failed;
        }
    }

    // A pooler that speaks to a client before it has a server connection for it makes up the process's number.
    private boolean isBehindPooler() {
        try (var session = Session.open(dsl)) {
            var told = session.dsl()
                    .connectionResult(connection -> connection.isWrapperFor(PGConnection.class)
                            ? connection.unwrap(PGConnection.class).getBackendPID()
                            : 0);
            return told != 0 && told != process(session.dsl());
        } catch (LinkageError anotherDriver) {
            return false;
        }
    }

    /** Whether a connection's statements come to several processes of the server, or to one that others have too. */
    private boolean isLentByTheTransaction() {
        var own = new HashSet<Integer>();
        var others = new HashSet<Integer>();
        new TwoConnections(dsl, queue, transaction)
                .probeSession(session -> askOften(session, own), (session, other) -> {
                    others.add(process(other));
                    if (Collections.disjoint(own, others)) { // else both wait for one that the other has
                        own.add(process(session));
                    }
                });
        return own.size() > 1 || !Collections.disjoint(own, others);
    }

    // Server connections that take turns are told apart so, and else the one of before comes first.
    private static void askOften(DSLContext session, Set<Integer> processes) {
        for (int question = 0; question < QUESTIONS; question++) {
            processes.add(process(session));
        }
    }

    private static int process(DSLContext session) {
        return session.select(function("pg_backend_pid", SQLDataType.INTEGER))
                .fetchSingle()
                .value1();
    }

    private void requireNoLocksOfSessions() {
        if (queue.table().lockForm() == LockForm.ADVISORY) {
            throw new QueueException(
                    "%s: a lock that a session takes on a key does not hold here: a pooler lends the server's connections by the transaction; connect to the server itself, or through a pooler that keeps a session on one server connection, or map leasedUntil(..) to use leases"
                            .formatted(queue));
        }
    }

    private void requireStatementsKept() {
        try (var session = Session.open(dsl)) {
            session.dsl().connection(connection -> {
                var driver = connection.unwrap(PGConnection.class);
                var threshold = driver.getPrepareThreshold();
                if (threshold == 0) {
                    return;
                }
                driver.setPrepareThreshold(1);
                try {
                    requireNoNameOfDriver(session.dsl());
                } finally {
                    driver.setPrepareThreshold(threshold);
                }
            });
        }
    }

    private void requireNoNameOfDriver(DSLContext session) {
        if (isNamedByDriver(session)) {
            throw new QueueException(statementsAreNotKept());
        }
    }

    // The question asks for itself.
    private static boolean isNamedByDriver(DSLContext session) {
        return session.fetchExists(session.selectOne()
                .from(table(PREPARED))
                .where(field(STATEMENT, SQLDataType.CLOB)
                        .contains(inline(UUID.randomUUID().toString())))
                .and(field(STATEMENT_NAME, SQLDataType.CLOB).startsWith(inline(NAMED_BY_DRIVER))));
    }

    private String statementsAreNotKept() {
        return "%s: a pooler lends the server's connections by the transaction and does not keep what the driver has prepared on them, so that another statement could be executed in place of the one that was meant; add prepareThreshold=0 to the JDBC URL, or let PgBouncer 1.21 or later keep them (max_prepared_statements)"
                .formatted(queue);
    }
}
