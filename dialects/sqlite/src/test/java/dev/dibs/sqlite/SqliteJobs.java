package dev.dibs.sqlite;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.dibs.table.QueueTable;
import org.jooq.DSLContext;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** A table of jobs, as small as the lease form allows. */
final class SqliteJobs {

    private static final Table<?> JOBS = DSL.table(name("jobs"));

    static final QueueTable<String> TABLE = QueueTable.of(
                    JOBS, field(name("jobs", "id"), SQLDataType.BIGINT), field(name("jobs", "body"), SQLDataType.CLOB))
            .leasedUntil(field(name("jobs", "held_until"), SQLDataType.BIGINT));

    /** The same in the advisory form, with one key for all. */
    static final QueueTable<String> LOCKED =
            QueueTable.of(JOBS, TABLE.id(), TABLE.payload()).lockKey();

    private SqliteJobs() {}

    static void create(DSLContext dsl) {
        dsl.execute("create table jobs (id integer primary key autoincrement, body text not null, held_until integer)");
    }
}
