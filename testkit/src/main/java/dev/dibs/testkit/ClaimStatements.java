package dev.dibs.testkit;

import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.QueueRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DMLQuery;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.Query;
import org.jooq.ResultQuery;
import org.jooq.impl.DefaultExecuteListenerProvider;

/**
 * The statements that one claim executes.
 *
 * @param queries those that a database can explain
 * @param texts all of them, as they were sent
 */
record ClaimStatements(List<Query> queries, List<String> texts) {

    private static final Duration LEASE = Duration.ofSeconds(30);

    /** Claims rows, keeps what was executed for it, and gives them back where the form can. */
    static ClaimStatements of(DSLContext dsl, QueueRef queue, int limit) {
        var statements = new ClaimStatements(new ArrayList<>(), new ArrayList<>());
        var listening = dsl.configuration().derive(new DefaultExecuteListenerProvider(statements.listener()));
        claim(listening.dsl(), queue, limit).forEach(row -> row.hold().close());
        return statements;
    }

    /** Claims rows, which the caller lets go. */
    static List<Claimed> claim(DSLContext dsl, QueueRef queue, int limit) {
        return Dialects.of(dsl.family())
                .claim(queue)
                .claim(ClaimRequest.of(dsl, queue, limit, LEASE))
                .map(found -> found.split(1))
                .orElseGet(List::of);
    }

    private ExecuteListener listener() {
        return new ExecuteListener() {

            private static final long serialVersionUID = 1L;

            @Override
            public void executeStart(ExecuteContext context) {
                texts.add(String.valueOf(context.sql()));
                if (context.query() instanceof ResultQuery || context.query() instanceof DMLQuery) {
                    queries.add(context.query());
                }
            }
        };
    }
}
