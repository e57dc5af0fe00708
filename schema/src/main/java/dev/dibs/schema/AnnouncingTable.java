package dev.dibs.schema;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.quotedName;
import static org.jooq.impl.DSL.sql;

import dev.dibs.spi.TableChannel;
import dev.dibs.table.QueueException;
import dev.dibs.wake.Announcement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.QueryPart;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * A table of PostgreSQL and the trigger that announces its inserts.
 *
 * <p>On demand the trigger has a condition, which asks whether somebody sleeps: those who do share an advisory lock, so it
 * tries to have the lock alone and lets go of it. Nothing is written for that, where nobody sleeps no function is called, and
 * a sleeper that dies is none any more. The try and the release are one expression, because a cancelled statement ends
 * between two of them and would leave the lock with its session, for which then nobody announced anything but in vain. All
 * names in it are qualified: the function runs under the search path of whoever inserts. The table stands in the condition by
 * its number, so that a dump takes it along.
 */
final class AnnouncingTable {

    static final String FUNCTION_BODY = """

            begin
                perform pg_catalog.pg_notify(tg_argv[0], '');
                return null;
            end
            """;

    private static final String SOMEBODY_SLEEPS = """
            case when pg_catalog.pg_try_advisory_lock({0})
                then not pg_catalog.pg_advisory_unlock({0})
                else true
            end""";

    /** Others that do the same take milliseconds, unless each of them waits for writers. */
    private static final Duration FOR_OTHER_INSTANCES = Duration.ofSeconds(30);

    /** Writers wait as long behind it; an autovacuum gives way after a second (deadlock_timeout). */
    private static final Duration FOR_WRITERS = Duration.ofSeconds(3);

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final Name TRIGGER = quotedName(TableChannel.TRIGGER);

    private final DataSource dataSource;
    private final Table<?> table;

    AnnouncingTable(DataSource dataSource, Table<?> table) {
        this.dataSource = dataSource;
        this.table = table;
    }

    Announcement announcement() {
        return onPostgresql(dsl -> SeenTable.of(dsl, table).announcement());
    }

    void announce(Announcement wanted) {
        onPostgresql(dsl -> {
            if (!SeenTable.of(dsl, table).isAsWanted(wanted)) {
                dsl.transaction(tx -> change(tx.dsl(), wanted));
            }
            return wanted;
        });
    }

    private void change(DSLContext tx, Announcement wanted) {
        execute(tx, "set transaction isolation level read committed"); // what is seen under the lock is of now
        waitAtMost(tx, FOR_OTHER_INSTANCES);
        lockOutOtherInstances(tx);
        waitAtMost(tx, FOR_WRITERS);
        var seen = SeenTable.of(tx, table);
        if (!seen.hasFunctionFor(wanted)) {
            createFunction(tx, seen);
        }
        if (!seen.hasTriggerFor(wanted)) {
            replaceTrigger(tx, seen, wanted);
        }
    }

    private static void replaceTrigger(DSLContext tx, SeenTable seen, Announcement wanted) {
        if (seen.hasTrigger()) {
            dropTrigger(tx, seen);
        }
        if (wanted != Announcement.OFF) {
            createTrigger(tx, seen, wanted);
        }
    }

    private static void waitAtMost(DSLContext tx, Duration time) {
        tx.setLocal(name("lock_timeout"), inline(time.toMillis() + "ms")).execute();
    }

    private static void lockOutOtherInstances(DSLContext tx) {
        tx.select(function("pg_advisory_xact_lock", SQLDataType.OTHER, key(TableChannel.TRIGGER)))
                .execute();
    }

    private static Field<Long> key(String text) {
        return function("hashtextextended", SQLDataType.BIGINT, inline(text), inline(0L));
    }

    private static void createFunction(DSLContext tx, SeenTable seen) {
        execute(
                tx,
                "create or replace function {0}() returns trigger language plpgsql as {1}",
                seen.functionName(),
                inline(FUNCTION_BODY));
    }

    private static void createTrigger(DSLContext tx, SeenTable seen, Announcement announcement) {
        execute(
                tx,
                "create trigger {0} after insert on {1} for each statement {2} execute function {3}({4}, {5})",
                TRIGGER,
                seen.qualified(),
                announcement == Announcement.ALWAYS ? sql("") : sql("when ({0})", somebodySleeps(tx, seen)),
                seen.functionName(),
                inline(seen.channel()),
                inline(announcement.name()));
    }

    private static Condition somebodySleeps(DSLContext tx, SeenTable seen) {
        var number =
                field("{0}::pg_catalog.regclass::pg_catalog.oid::pg_catalog.int8", inline(tx.render(seen.qualified())));
        var key = field("({0} operator(pg_catalog.+) {1})", number, inline(TableChannel.SLEEPERS));
        return condition(SOMEBODY_SLEEPS, key);
    }

    private static void dropTrigger(DSLContext tx, SeenTable seen) {
        execute(tx, "drop trigger {0} on {1}", TRIGGER, seen.qualified());
    }

    // jOOQ's free edition has no triggers and no functions, and none has the isolation of a transaction that has begun.
    private static void execute(DSLContext tx, String sql, QueryPart... parts) {
        tx.execute(sql, parts);
    }

    private <R> R onPostgresql(SqlFunction<DSLContext, R> work) {
        try {
            return Migration.on(dataSource, connection -> {
                requirePostgresql(connection);
                return work.apply(DSL.using(connection, SQLDialect.POSTGRES));
            });
        } catch (DataAccessException failed) {
            throw failed.sqlState().equals(LOCK_NOT_AVAILABLE) ? locked(failed) : refused(failed);
        } catch (SQLException failed) {
            throw refused(failed);
        }
    }

    private void requirePostgresql(Connection connection) throws SQLException {
        var seen = connection.getMetaData();
        if (!seen.getDatabaseProductName().equals(Server.POSTGRESQL.toString())) {
            throw new QueueException(
                    "table %s: the database is %s %s, and PostgreSQL alone announces inserts; leave it out, workers find the rows when they look"
                            .formatted(table, seen.getDatabaseProductName(), seen.getDatabaseProductVersion()));
        }
    }

    private QueueException locked(DataAccessException failed) {
        return new QueueException(
                "table %s: it could not be locked within %d s, because of a transaction that wrote to it and is still open, or another instance that waits for one; nothing was changed, so end that transaction (pg_locks knows its session), or call again later"
                        .formatted(table, FOR_WRITERS.toSeconds()),
                failed);
    }

    private QueueException refused(Exception failed) {
        var cause = failed.getCause() instanceof SQLException sql ? sql : failed;
        return new QueueException("table %s: the database refuses: %s".formatted(table, cause.getMessage()), failed);
    }
}
