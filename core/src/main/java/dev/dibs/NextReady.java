package dev.dibs;

import static org.jooq.impl.DSL.inline;

import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.PriorityRanges;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.Range;
import dev.dibs.table.Part;
import dev.dibs.time.Micros;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record3;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * How long it takes until a row is ready that is not: it becomes due, or the lease that holds it ends.
 *
 * <p>It looks at the start of each priority's range only, so it can miss rows behind very many that are leased; those are
 * found by the next look, as are those that come meanwhile without a wake-up.
 */
record NextReady(DSLContext dsl, QueueRef queue, OwnTransaction transaction) {

    private static final int ROWS_OF_A_PRIORITY = 100;
    private static final int MOST_ROWS = 10 * ROWS_OF_A_PRIORITY;

    /** For rows that are free again without a sign, as those of a session that has ended. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** By the queue's clock; empty if nothing is known to become ready. */
    Optional<Duration> after() {
        var rows = transaction.single(
                dsl,
                own -> PriorityRanges.rows(
                        ClaimRequest.of(own, queue, MOST_ROWS, Duration.ZERO), NextReady::startOfTheRange));
        return rows.stream()
                .map(NextReady::wait)
                .min(Comparator.naturalOrder())
                .map(micros -> Duration.of(micros, ChronoUnit.MICROS));
    }

    private static List<? extends Record> startOfTheRange(ClaimRequest request, Range range) {
        var queue = request.queue();
        return request.dsl()
                .select(time(queue, Part.DUE_AT), time(queue, Part.LEASED_UNTIL), now(queue))
                .from(queue.from())
                .where(queue.mine())
                .and(queue.unfinished())
                .and(range.condition())
                .orderBy(queue.order())
                .limit(request.limit(Math.min(ROWS_OF_A_PRIORITY, request.limit()))
                        .mostRows())
                .fetch();
    }

    private static Field<Long> time(QueueRef queue, Part part) {
        return queue.times(part)
                .map(column -> column.read())
                .orElseGet(() -> inline((Long) null, SQLDataType.BIGINT))
                .as(DSL.name("dibs_" + part));
    }

    private static Field<Long> now(QueueRef queue) {
        return queue.time().now().compared().as(DSL.name("dibs_now"));
    }

    // A row that seems to be ready was passed over by the claim: it is held by what no column tells, or has just come.
    @SuppressWarnings("unchecked") // the three that are selected
    private static long wait(Record row) {
        var times = (Record3<Long, Long, Long>) row;
        var now = times.value3();
        var ready = Math.max(orNever(times.value1()), orNever(times.value2()));
        return ready > now ? ready - now : Micros.of(LOOK_AGAIN);
    }

    private static long orNever(Long time) {
        return time == null ? Long.MIN_VALUE : time;
    }
}
