package dev.dibs.schema;

import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import javax.sql.DataSource;

/** The advisory locks of a test's own database. */
final class AdvisoryLocks {

    private AdvisoryLocks() {}

    /** How many are held, by whatever session. */
    static int held(DataSource source) throws Exception {
        return SchemaContract.dsl(
                source,
                on -> on.select(count())
                        .from(table(name("pg_locks")))
                        .where("locktype = 'advisory'")
                        .and("database = (select oid from pg_database where datname = current_database())")
                        .fetchSingle()
                        .value1());
    }
}
