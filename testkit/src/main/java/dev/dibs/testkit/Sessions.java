package dev.dibs.testkit;

import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** The connections to a test's own database, as the server sees them. */
final class Sessions {

    private Sessions() {}

    /** Ends all but the caller's, as an administrator would. */
    static void killOthers(DSLContext dsl) {
        dsl.connection(connection -> {
            var own = DSL.using(connection, dsl.dialect());
            switch (dsl.dialect().family()) {
                case POSTGRES ->
                    own.fetch("select pg_terminate_backend(pid) from pg_stat_activity"
                            + " where datname = current_database() and pid <> pg_backend_pid()");
                case MYSQL, MARIADB ->
                    own.fetch("select id from information_schema.processlist where db = database()"
                                    + " and id <> connection_id()")
                            .forEach(session -> own.execute("kill " + session.get(0)));
                default -> throw new IllegalArgumentException("no server holds sessions here");
            }
        });
    }
}
