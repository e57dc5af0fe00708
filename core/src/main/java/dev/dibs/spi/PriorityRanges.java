package dev.dibs.spi;

import static org.jooq.impl.DSL.arrayGet;
import static org.jooq.impl.DSL.cast;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Record2;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of the claim index that a claim reads, one for each priority in use.
 *
 * <p>Priority stands before the due time in the index. One range over all priorities would walk every row of an urgent
 * priority that is not due yet before it came to the ready ones of the next.
 */
public final class PriorityRanges {

    private static final Name PRIORITIES = name("priorities");
    private static final Name PRIORITY = name("priority");
    private static final Name RANGE = name("range");
    private static final Name ID = name("id");

    private final ClaimRequest request;
    private final Field<Object> priority;
    private final BiFunction<ClaimRequest, Range, List<? extends Record>> range;
    private final List<Record> rows = new ArrayList<>();

    private PriorityRanges(
            ClaimRequest request,
            Field<Object> priority,
            BiFunction<ClaimRequest, Range, List<? extends Record>> range) {
        this.request = request;
        this.priority = priority;
        this.range = range;
    }

    /**
     * The rows of the ranges, most urgent first, until there are as many as asked for.
     *
     * @param range takes rows of one range: at most as many as its request still asks for
     */
    public static List<Record> rows(
            ClaimRequest request, BiFunction<ClaimRequest, Range, List<? extends Record>> range) {
        var priority = request.queue().table().find(Part.PRIORITY);
        if (priority.isEmpty()) {
            return List.copyOf(range.apply(request, Range.ofAll()));
        }
        var ranges = new PriorityRanges(request, priority.get(), range);
        ranges.takeFrom(ranges.mostUrgent());
        return ranges.rows;
    }

    private void takeFrom(@Nullable Object mostUrgent) {
        for (var next = mostUrgent; next != null && isWanting(); next = following(next)) {
            take(Range.of(priority, next));
        }
    }

    // The known one is tried at once, by a statement that finds nothing if there is a more urgent one. A look for the
    // least of all would walk over the entries of settled rows at its start.
    private @Nullable Object mostUrgent() {
        var known = request.scope().memory().mostUrgent();
        var before = request.isFull() ? null : known.get();
        if (before == null) {
            var first = least(noCondition());
            known.set(first);
            return first;
        }
        var moreUrgent = priority.lt(before);
        take(Range.ofMostUrgent(request.queue(), priority, before));
        if (!rows.isEmpty()) {
            return following(before);
        }
        var first = least(moreUrgent);
        if (first != null) {
            known.set(first);
        }
        return first == null ? following(before) : first;
    }

    private void take(Range among) {
        rows.addAll(range.apply(request.limit(request.limit() - rows.size()), among));
    }

    private boolean isWanting() {
        return rows.size() < request.limit();
    }

    private @Nullable Object following(Object before) {
        var following = isWanting() ? least(priority.gt(before)) : null;
        if (before.equals(following)) {
            throw new QueueException(
                    "%s: the priority %s in column %s does not compare with what is read of it; make the column a whole number"
                            .formatted(request.queue(), following, priority.getName()));
        }
        return following;
    }

    // A jump to the next value by the index, however long the queue is.
    private @Nullable Object least(Condition among) {
        return request.dsl().fetchValue(least(request.queue(), priority, among));
    }

    /**
     * The priorities in use and a null, most urgent first, for a statement that joins them.
     *
     * <p>Jumps from one value to the next by the index: as many seeks as there are priorities, however long the queue.
     */
    public static CommonTableExpression<Record1<Object>> inUse(QueueRef queue, Field<Object> priority) {
        return inUse(
                priority,
                field(least(queue, priority, noCondition())),
                field(least(queue, priority, priority.gt(value(priority)))));
    }

    /**
     * The same with priorities that are known: they are in use without a look, and jumps search between them only, so
     * that what lies at the start of their ranges is not read.
     *
     * @param known in ascending order
     */
    public static CommonTableExpression<Record1<Object>> inUse(
            QueueRef queue, Field<Object> priority, Field<Long[]> known) {
        var place = function("width_bucket", SQLDataType.INTEGER, cast(value(priority), SQLDataType.BIGINT), known);
        var lowest = arrayGet(known, inline(1)).coerce(priority);
        var following = arrayGet(known, place.plus(inline(1))).coerce(priority);
        var above = priority.gt(value(priority));
        return inUse(
                priority,
                coalesce(
                        field(least(queue, priority, priority.lt(lowest))),
                        lowest,
                        field(least(queue, priority, noCondition()))),
                coalesce(
                        field(least(queue, priority, above.and(priority.lt(following)))),
                        following,
                        field(least(queue, priority, above))));
    }

    private static CommonTableExpression<Record1<Object>> inUse(
            Field<Object> priority, Field<Object> first, Field<Object> next) {
        return PRIORITIES
                .fields(PRIORITY)
                .as(select(first)
                        .unionAll(select(next)
                                .from(priorities())
                                .where(value(priority).isNotNull())));
    }

    static Select<Record1<Object>> least(QueueRef queue, Field<Object> priority, Condition among) {
        return select(min(priority)).from(queue.from()).where(queue.mine()).and(among);
    }

    /**
     * The ids of the rows of the ranges of {@link #inUse}, most urgent first, as many as asked for.
     *
     * <p>The limit stops the join, and with it what the ranges lock, as soon as enough rows are found.
     *
     * @param range the ids of the rows of a priority
     */
    public static Select<Record2<Object, Integer>> joined(
            ClaimRequest request,
            Field<Object> priority,
            Function<Field<Object>, Select<Record2<Object, Integer>>> range) {
        var rows = range.apply(value(priority)).asTable(RANGE, ID, RowColumns.RAN_OUT);
        return select(
                        field(RANGE.append(ID), request.queue().table().id().getDataType()),
                        field(RANGE.append(RowColumns.RAN_OUT), SQLDataType.INTEGER))
                .from(priorities())
                .crossJoin(lateral(rows))
                .limit(request.mostRows());
    }

    private static Table<?> priorities() {
        return table(PRIORITIES);
    }

    private static Field<Object> value(Field<Object> priority) {
        return field(PRIORITIES.append(PRIORITY), priority.getDataType());
    }
}
