package dev.dibs.spi;

import dev.dibs.time.Now;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.SQLDialect;
import org.jooq.SelectForUpdateStep;

/**
 * Locks ready rows that nobody else has locked, in the transaction of the request's connection.
 *
 * <p>SQLite locks the file, and the transaction has it.
 */
public final class SkipLocked {

    private SkipLocked() {}

    /** The rows in claim order, as many as the request asks for or there are. */
    public static List<Record> rows(ClaimRequest request, Now now, List<Field<?>> columns) {
        return PriorityRanges.rows(request, (rest, range) -> range(rest, now, columns, range));
    }

    private static List<? extends Record> range(
            ClaimRequest request, Now now, List<Field<?>> columns, Condition range) {
        var queue = request.queue();
        var rows = request.dsl()
                .select(columns)
                .from(queue.from())
                .where(request.ready(now))
                .and(range)
                .orderBy(queue.order())
                .limit(request.mostRows());
        return locked(request.dsl(), rows);
    }

    /** Fetches and locks those of the rows that nobody else has locked; on SQLite all, for the transaction has the file. */
    public static <R extends Record> Result<R> locked(DSLContext transaction, SelectForUpdateStep<R> rows) {
        return transaction.family() == SQLDialect.SQLITE
                ? rows.fetch()
                : rows.forUpdate().skipLocked().fetch();
    }
}
