package dev.dibs.spi;

import dev.dibs.table.Part;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Now;
import dev.dibs.time.TimeColumn;
import dev.dibs.time.TimeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.OrderField;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** One queue of a table: the conditions, the order and the columns that every statement about it shares. */
public final class QueueRef {

    private static final String ONE_ID = "id";
    private static final String IDS = "ids";

    private final QueueTable<?> table;
    private final String name;
    private final TimeSource time;
    private final RowColumns<?> columns;

    /**
     * A queue.
     *
     * @param table the mapping
     * @param name the queue's name; where no column plays the part, a name for logs only
     * @param time whose clock writes and compares the queue's times
     */
    public QueueRef(QueueTable<?> table, String name, TimeSource time) {
        new QueueTimes(named(name, table), table).requireSound();
        this.table = table;
        this.name = name;
        this.time = time;
        this.columns = RowColumns.of(table);
    }

    /** The mapping. */
    public QueueTable<?> table() {
        return table;
    }

    /** The jOOQ table. */
    public Table<?> from() {
        return table.table();
    }

    /** The queue's name. */
    public String name() {
        return name;
    }

    /** Whose clock writes and compares the queue's times. */
    public TimeSource time() {
        return time;
    }

    /** What a claim reads of each row. */
    public RowColumns<?> columns() {
        return columns;
    }

    /** Rows of this queue. */
    public Condition mine() {
        return table.find(Part.QUEUE).map(queue -> queue.eq(name)).orElse(DSL.noCondition());
    }

    /** Rows of this queue that may be claimed: due, not held by a running lease, not finished; none while it is paused. */
    public Condition ready(Now now) {
        return mine().and(due(now))
                .and(unfinished())
                .and(unleased(now))
                .and(inTurn(now))
                .and(unpaused());
    }

    /**
     * Rows with these ids.
     *
     * <p>As an array where the database has them, else as a list whose length is a power of two: few statements to
     * prepare, however many rows there are. In ascending order, so that two statements meet rows in one order.
     */
    public Condition in(DSLContext dsl, Collection<?> ids) {
        return in(dsl, table.id(), ids);
    }

    /** The same for another column that holds ids. */
    public static Condition in(DSLContext dsl, Field<Object> id, Collection<?> ids) {
        var sorted = sorted(ids);
        if (sorted.length == 1) {
            return id.eq(KeptTexts.given(ONE_ID, id.getDataType(), sorted[0]));
        }
        if (dsl.family() == SQLDialect.POSTGRES) {
            return id.eq(DSL.any(KeptTexts.given(IDS, id.getDataType().getArrayDataType(), sorted)));
        }
        var padded = Arrays.copyOf(sorted, powerOfTwo(sorted.length));
        Arrays.fill(padded, sorted.length, padded.length, sorted[sorted.length - 1]);
        return id.in(padded);
    }

    /** What {@link #in} gives to statements that are kept; empty where each number of ids has a text of its own. */
    public static Optional<Map<String, Object>> given(DSLContext dsl, Collection<?> ids) {
        if (ids.size() == 1) {
            return Optional.of(Map.of(ONE_ID, ids.iterator().next()));
        }
        return dsl.family() == SQLDialect.POSTGRES ? Optional.of(Map.of(IDS, sorted(ids))) : Optional.empty();
    }

    private static Object[] sorted(Collection<?> ids) {
        return ids.stream().sorted().toArray();
    }

    private static int powerOfTwo(int atLeast) {
        return Integer.highestOneBit(atLeast - 1) << 1;
    }

    /** The claim order within one priority: due time, then id. */
    public List<OrderField<?>> order() {
        var order = new ArrayList<OrderField<?>>();
        table.find(Part.DUE_AT).ifPresent(order::add);
        order.add(table.id());
        return order;
    }

    /** Whether messages go in the order of their ids, one of a key at a time. */
    public boolean isOrdered() {
        return table.order().isPresent();
    }

    /** The order key with the queue's name, as one text; null of a row that has no order. */
    Field<String> orderText() {
        return keyOrder().orElseThrow().text();
    }

    /** The values of the lock key's columns as one text, as the database writes them; null is an empty text. */
    public Field<String> lockKey() {
        return text(table.lockColumns().orElseGet(List::of));
    }

    // Two rows whose texts are equal by an accident of the separator share a key, which costs a delay and no more.
    private static Field<String> text(List<Field<?>> columns) {
        return columns.stream()
                .map(column -> DSL.coalesce(DSL.cast(column, SQLDataType.VARCHAR), DSL.inline("")))
                .reduce((one, other) -> DSL.concat(one, DSL.inline(":"), other))
                .orElseGet(() -> DSL.inline(""));
    }

    /** A mapped column that holds a time. */
    public Optional<TimeColumn> times(Part part) {
        return table.find(part).map(TimeColumn::of);
    }

    /**
     * The same queue, if that database has the types of its time columns.
     *
     * @throws dev.dibs.table.QueueException naming the column and the remedy
     */
    public QueueRef servedBy(SQLDialect family) {
        new QueueTimes(toString(), table).requireServed(family);
        return this;
    }

    /** The queue as messages name it. */
    @Override
    public String toString() {
        return named(name, table);
    }

    private static String named(String name, QueueTable<?> table) {
        return "queue \"%s\" in table %s".formatted(name, table);
    }

    private Condition due(Now now) {
        return times(Part.DUE_AT).map(due -> due.reached(now)).orElse(DSL.noCondition());
    }

    /** Rows that are not kept only to tell that they were handled. */
    public Condition unfinished() {
        return table.find(Part.FINISHED_AT).map(finished -> finished.isNull()).orElse(DSL.noCondition());
    }

    /** Rows that no running lease holds. */
    public Condition unleased(Now now) {
        return table.find(Part.LEASED_UNTIL)
                .map(until -> until.isNull().or(TimeColumn.of(until).reached(now)))
                .orElse(DSL.noCondition());
    }

    private Condition inTurn(Now now) {
        return keyOrder().map(order -> order.isNext(now)).orElse(DSL.noCondition());
    }

    // About no row, so that the database answers it once for each statement.
    private Condition unpaused() {
        return table.pauses()
                .map(pauses -> DSL.coalesce(
                                DSL.field(DSL.select(pauses.paused())
                                        .from(pauses.table())
                                        .where(pauses.name().eq(name))),
                                DSL.inline(0))
                        .eq(DSL.inline(0)))
                .orElse(DSL.noCondition());
    }

    private Optional<KeyOrder> keyOrder() {
        return table.order().map(policy -> new KeyOrder(this, policy));
    }
}
