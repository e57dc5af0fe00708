package dev.dibs.spi;

import dev.dibs.time.Now;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.ResultQuery;
import org.jooq.SQLDialect;
import org.jooq.SelectForUpdateStep;

/**
 * Locks ready rows that nobody else has locked, in the transaction of the request's connection.
 *
 * <p>SQLite locks the file, and the transaction has it.
 */
public final class SkipLocked {

    private SkipLocked() {}

    /**
     * The rows in claim order, as many as the request asks for or there are.
     *
     * @param columns what to read of them
     * @param values what the columns give to statements that are kept
     */
    static List<Record> rows(
            ClaimRequest request, Now now, Supplier<List<Field<?>>> columns, Map<String, Object> values) {
        return PriorityRanges.rows(request, (rest, range) -> {
            Supplier<ResultQuery<Record>> rows =
                    () -> locking(rest.dsl(), among(rest, now, columns.get(), range.condition()));
            return now.isRead() ? rows.get().fetch() : rest.rows(range.kind(), range.with(values), rows);
        });
    }

    private static SelectForUpdateStep<Record> among(
            ClaimRequest request, Now now, List<Field<?>> columns, Condition range) {
        var queue = request.queue();
        return request.dsl()
                .select(columns)
                .from(queue.from())
                .where(request.ready(now))
                .and(range)
                .orderBy(queue.order())
                .limit(request.mostRows());
    }

    /** Fetches and locks those of the rows that nobody else has locked; on SQLite all, for the transaction has the file. */
    public static <R extends Record> Result<R> locked(DSLContext transaction, SelectForUpdateStep<R> rows) {
        return locking(transaction, rows).fetch();
    }

    private static <R extends Record> ResultQuery<R> locking(DSLContext transaction, SelectForUpdateStep<R> rows) {
        return transaction.family() == SQLDialect.SQLITE
                ? rows
                : rows.forUpdate().skipLocked();
    }
}
