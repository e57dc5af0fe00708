package dev.dibs.spi;

import static org.jooq.impl.DSL.cast;
import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.falseCondition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.selectOne;

import dev.dibs.table.OrderPolicy;
import dev.dibs.table.Part;
import dev.dibs.time.Now;
import dev.dibs.time.TimeColumn;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.SQLDialect;
import org.jooq.impl.CustomCondition;
import org.jooq.impl.SQLDataType;

/** The order of messages that share a key: one at a time, by ascending ids. */
record KeyOrder(QueueRef queue, OrderPolicy policy) {

    private static final Name OTHER = name("dibs_other");

    /** True of a row whose turn it is: none of its key is in work, and none stands in front of it. */
    Condition isNext(Now now) {
        return notExists(selectOne()
                .from(queue.from().as(OTHER))
                .where(isOfTheSameKey())
                .and(queue.table()
                        .find(Part.FINISHED_AT)
                        .map(at -> other(at).isNull())
                        .orElse(noCondition()))
                .and(isInFront(now).or(isInWork(now))));
    }

    /** The key as a text, with the queue's name; null of a row that has no order. */
    Field<String> text() {
        return queue.table()
                .find(Part.ORDER_KEY)
                .map(key -> concat(inline(queue.name() + ":"), cast(key, SQLDataType.VARCHAR)))
                .orElse(inline(queue.name()));
    }

    private Condition isOfTheSameKey() {
        var isOfTheQueue = queue.table()
                .find(Part.QUEUE)
                .map(column -> other(column).eq(queue.name()))
                .orElse(noCondition());
        return queue.table()
                .find(Part.ORDER_KEY)
                .map(key -> isOfTheQueue.and(other(key).eq(here(key))).and(isSameToTheByte(other(key), here(key))))
                .orElse(isOfTheQueue);
    }

    private Condition isInFront(Now now) {
        var id = queue.table().id();
        var isEarlier = other(id).lt(here(id));
        return policy == OrderPolicy.BLOCK ? isEarlier : isEarlier.and(isDue(now));
    }

    private Condition isDue(Now now) {
        return queue.table()
                .find(Part.DUE_AT)
                .map(due -> TimeColumn.of(other(due)).reached(now))
                .orElse(noCondition());
    }

    // In the row lock form the key's own lock tells.
    private Condition isInWork(Now now) {
        return queue.table()
                .find(Part.LEASED_UNTIL)
                .map(until -> TimeColumn.of(other(until)).reached(now).not())
                .orElse(falseCondition());
    }

    // Where a collation takes two keys for one, their locks would still be two.
    private static Condition isSameToTheByte(Field<Object> one, Field<Object> other) {
        return CustomCondition.of(context -> {
            var family = context.family();
            context.visit(
                    family == SQLDialect.MYSQL || family == SQLDialect.MARIADB
                            ? cast(one, SQLDataType.BINARY).eq(cast(other, SQLDataType.BINARY))
                            : noCondition());
        });
    }

    private static Field<Object> other(Field<Object> column) {
        return field(OTHER.append(column.getName()), column.getDataType());
    }

    private Field<Object> here(Field<Object> column) {
        return field(queue.from().getQualifiedName().append(column.getName()), column.getDataType());
    }
}
