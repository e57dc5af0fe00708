package dev.dibs.schema;

import dev.dibs.spi.TableChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.postgresql.PGConnection;

/** A connection that listens to the announcements of tables, and can sleep until one comes. */
final class Ear implements AutoCloseable {

    private static final int SLICE = 10_000;

    private final Connection connection;
    private final DSLContext dsl;
    private final String end;

    private Ear(Connection connection) {
        this.connection = connection;
        this.dsl = DSL.using(connection, SQLDialect.POSTGRES);
        this.end = "end of " + session();
    }

    static Ear at(DataSource source, Table<?>... tables) throws SQLException {
        var ear = new Ear(source.getConnection());
        for (var table : tables) {
            ear.dsl.execute("listen {0}", DSL.quotedName(ear.channel(table).channel()));
        }
        ear.dsl.execute("listen {0}", DSL.quotedName(ear.end));
        return ear;
    }

    TableChannel channel(Table<?> table) {
        return TableChannel.of(dsl, table);
    }

    /** From now on wants to be woken by the table. */
    void sleep(Table<?> table) {
        var isAsleep = dsl.select(DSL.function(
                        "pg_try_advisory_lock_shared",
                        SQLDataType.BOOLEAN,
                        DSL.val(channel(table).sleepLock())))
                .fetchSingle()
                .value1();
        if (!isAsleep) {
            throw new IllegalStateException("somebody has the lock of " + table);
        }
    }

    /** No longer wants to. */
    void wake(Table<?> table) {
        dsl.select(DSL.function(
                        "pg_advisory_unlock_shared",
                        SQLDataType.BOOLEAN,
                        DSL.val(channel(table).sleepLock())))
                .fetch();
    }

    int session() {
        return dsl.select(DSL.function("pg_backend_pid", SQLDataType.INTEGER))
                .fetchSingle()
                .value1();
    }

    /** The channels of all announcements that were committed before this. */
    List<String> heard() throws SQLException {
        dsl.execute("notify {0}", DSL.quotedName(end));
        var heard = new ArrayList<String>();
        while (!heard.contains(end)) {
            for (var each : connection.unwrap(PGConnection.class).getNotifications(SLICE)) {
                heard.add(each.getName());
            }
        }
        heard.remove(end);
        return heard;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
