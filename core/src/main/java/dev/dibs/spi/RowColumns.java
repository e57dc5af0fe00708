package dev.dibs.spi;

import dev.dibs.table.Part;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Micros;
import dev.dibs.time.TimeColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a claim reads of each row, and how they are read back.
 *
 * @param <T> the payload's type
 */
public final class RowColumns<T> {

    /** The name under which claims read {@link #ranOut()}. */
    public static final Name RAN_OUT = DSL.name("dibs_ran_out");

    private final QueueTable<T> table;
    private final List<Field<?>> engine;
    private final Content<T> content;
    private final Optional<HeadersColumn> headers;
    private final Map<Part, Field<Long>> micros = new EnumMap<>(Part.class);
    private final List<Field<?>> selected;
    private final Map<Part, Integer> places = new EnumMap<>(Part.class);

    private RowColumns(QueueTable<T> table) {
        this.table = table;
        this.engine = engine(table);
        this.headers = table.find(Part.HEADERS).map(HeadersColumn::of);
        List.of(Part.DUE_AT, Part.LEASED_UNTIL)
                .forEach(part -> table.find(part).ifPresent(column -> micros.put(part, micros(column))));
        this.content = table.isRowMode()
                ? WholeRow.of(table, engine)
                : new Content.Payload<>(ReadBinding.field(table.payload()), engine.size() + micros.size());
        this.selected = selected();
        var row = DSL.row(selected);
        Stream.of(Part.ID, Part.ATTEMPT, Part.PRIORITY, Part.DUE_AT, Part.HEADERS)
                .forEach(part -> read(part).ifPresent(column -> places.put(part, row.indexOf(column))));
    }

    /** The columns of a mapping. */
    public static <T> RowColumns<T> of(QueueTable<T> table) {
        return new RowColumns<>(table);
    }

    /**
     * What to select or return: the attempt as it is after the claim counted it.
     *
     * <p>First, so that rows are read by the columns' places.
     */
    public List<Field<?>> afterClaim() {
        return selected;
    }

    private List<Field<?>> selected() {
        var fields = new ArrayList<>(engine);
        fields.addAll(micros.values());
        fields.addAll(content.fields());
        headers.filter(column -> !table.isRowMode()).ifPresent(column -> fields.add(column.field()));
        return List.copyOf(fields);
    }

    // What the claim itself reads. The lease is part of a whole row, as the claim has written it.
    private static List<Field<?>> engine(QueueTable<?> table) {
        var read = Stream.of(Part.ID, Part.ATTEMPT, Part.PRIORITY);
        var marked = Stream.of(Part.LEASED_UNTIL, Part.LEASE_TOKEN).filter(part -> table.isRowMode());
        return Stream.concat(read, marked)
                .flatMap(part -> table.find(part).stream())
                .<Field<?>>map(field -> field)
                .toList();
    }

    /** An attempt column after one more delivery; a foreign writer may have left it null. */
    public static Field<Object> next(Field<Object> attempt) {
        return DSL.coalesce(attempt, DSL.inline(0)).plus(1).coerce(attempt.getDataType());
    }

    /** What to select where the claim writes nothing: the attempt as it counts with this delivery. */
    public List<Field<?>> counting() {
        Map<Field<?>, Object> counted = new HashMap<>();
        table.find(Part.ATTEMPT).ifPresent(attempt -> counted.put(attempt, next(attempt)));
        return afterClaim().stream()
                .<Field<?>>map(column -> marked(column, counted.get(column)))
                .toList();
    }

    /** What to select before the claim writes its marks: the marked columns as they will be. */
    public List<Field<?>> beforeClaim(Lease lease) {
        var marks = new HashMap<Field<?>, Object>(lease.marks());
        marks.put(leasedUntil(), lease.expiry());
        return Stream.concat(
                        afterClaim().stream().map(column -> marked(column, marks.get(column))),
                        Stream.of(ranOut().as(RAN_OUT)))
                .<Field<?>>map(column -> column)
                .toList();
    }

    /** Whether a row was held before, by a lease that ran out: its handler never ended it. As a number, for all databases. */
    public Field<Integer> ranOut() {
        return DSL.when(table.column(Part.LEASED_UNTIL).isNotNull(), DSL.inline(1))
                .otherwise(DSL.inline(0));
    }

    /** The same of a row that was claimed. */
    public boolean ranOut(Record row) {
        return row.size() > selected.size() && row.get(selected.size(), Integer.class) == 1;
    }

    private static Field<?> marked(Field<?> column, @Nullable Object mark) {
        if (mark == null) {
            return column;
        }
        var value = mark instanceof Field<?> field ? field : DSL.val(mark);
        return value.coerce(column.getDataType()).as(column.getUnqualifiedName());
    }

    /** The row's id. */
    public Object id(Record row) {
        return at(row, Part.ID).orElseThrow();
    }

    /** The payload, or why it cannot be read. */
    public Read<T> payload(Record row) {
        return content.read(row);
    }

    /** The headers, or why they cannot be read. */
    public Read<Map<String, String>> headers(Record row) {
        return headers.flatMap(column -> at(row, Part.HEADERS).map(column::read))
                .orElseGet(() -> new Read<>(Map.of(), null));
    }

    /** Which delivery this is; 1 where nothing counts them. */
    public int attempt(Record row) {
        return at(row, Part.ATTEMPT)
                .map(attempt -> ((Number) attempt).intValue())
                .orElse(1);
    }

    /** How urgent the message is, if a column tells; the lowest number is. */
    public Optional<Object> priority(Record row) {
        return at(row, Part.PRIORITY);
    }

    /** When the message became due, if a column tells. */
    public Optional<Instant> dueAt(Record row) {
        return at(row, Part.DUE_AT).map(due -> Micros.at((Long) due));
    }

    private Optional<Object> at(Record row, Part part) {
        var place = places.get(part);
        return place == null ? Optional.empty() : Optional.ofNullable(row.get(place.intValue()));
    }

    /** The end of the row's lease as claims read it: in microseconds. */
    Field<Long> leasedUntil() {
        return Optional.ofNullable(micros.get(Part.LEASED_UNTIL)).orElseThrow();
    }

    // Under a name of its own: an order by the column must not mean what was computed from it.
    private static Field<Long> micros(Field<?> column) {
        return TimeColumn.of(column).read().as(DSL.name("dibs_" + column.getName()));
    }

    /** The rows by priority, due time and id, for statements that return them in no order. */
    public List<Record> inClaimOrder(List<? extends Record> rows) {
        var order = Stream.of(Part.PRIORITY, Part.DUE_AT, Part.ID)
                .filter(places::containsKey)
                .map(this::by)
                .reduce(Comparator::thenComparing)
                .orElseThrow();
        return rows.stream().<Record>map(row -> row).sorted(order).toList();
    }

    private Optional<Field<?>> read(Part part) {
        return part == Part.HEADERS
                ? headers.map(HeadersColumn::field)
                : Optional.<Field<?>>ofNullable(micros.get(part)).or(() -> table.find(part));
    }

    private Comparator<Record> by(Part part) {
        return Comparator.comparing(row -> at(row, part).orElse(null), Comparator.nullsFirst(RowColumns::compare));
    }

    // Databases compare UUIDs as unsigned bytes. Of texts they know the collation, which matters to no message's turn:
    // rows of one claim start together.
    @SuppressWarnings("unchecked") // priorities, times and ids are comparable
    private static int compare(Object one, Object other) {
        if (one instanceof UUID first && other instanceof UUID second) {
            var high = Long.compareUnsigned(first.getMostSignificantBits(), second.getMostSignificantBits());
            return high != 0
                    ? high
                    : Long.compareUnsigned(first.getLeastSignificantBits(), second.getLeastSignificantBits());
        }
        return ((Comparable<Object>) one).compareTo(other);
    }
}
