package dev.dibs.testkit;

import java.util.List;
import java.util.Random;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/** The connections to a test's own database, as the server sees them. */
final class Sessions {

    private Sessions() {}

    /** Ends all but the caller's, as an administrator would. */
    static void killOthers(DSLContext dsl) {
        dsl.connection(connection -> {
            var own = DSL.using(connection, dsl.dialect());
            others(own).forEach(session -> kill(own, session));
        });
    }

    /** Ends one of them, if there is one but the caller's. */
    static void killOne(DSLContext dsl, Random random) {
        dsl.connection(connection -> {
            var own = DSL.using(connection, dsl.dialect());
            var others = others(own);
            if (!others.isEmpty()) {
                kill(own, others.get(random.nextInt(others.size())));
            }
        });
    }

    private static List<Long> others(DSLContext own) {
        return switch (own.family()) {
            case POSTGRES ->
                own.fetch("select pid from pg_stat_activity"
                                + " where datname = current_database() and pid <> pg_backend_pid()")
                        .getValues(0, Long.class);
            case MYSQL, MARIADB ->
                own.fetch("select id from information_schema.processlist where db = database()"
                                + " and id <> connection_id()")
                        .getValues(0, Long.class);
            default -> throw new IllegalArgumentException("no server holds sessions here");
        };
    }

    private static void kill(DSLContext own, long session) {
        if (own.family() == SQLDialect.POSTGRES) {
            own.fetch("select pg_terminate_backend(?)", (int) session);
            return;
        }
        try {
            own.execute("kill " + session);
        } catch (DataAccessException gone) {
            if (!String.valueOf(gone.getMessage()).contains("Unknown thread id")) {
                throw gone;
            }
        }
    }
}
