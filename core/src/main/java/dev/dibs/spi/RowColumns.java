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
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a claim reads of each row, and how they are read back.
 *
 * @param <T> the payload's type
 */
public final class RowColumns<T> {

    private final QueueTable<T> table;
    private final Field<Read<T>> payload;
    private final Map<Part, Field<Long>> micros = new EnumMap<>(Part.class);

    private RowColumns(QueueTable<T> table) {
        this.table = table;
        this.payload = ReadBinding.field(table.payload());
        List.of(Part.DUE_AT, Part.LEASED_UNTIL)
                .forEach(part -> table.find(part).ifPresent(column -> micros.put(part, micros(column))));
    }

    /** The columns of a mapping. */
    public static <T> RowColumns<T> of(QueueTable<T> table) {
        return new RowColumns<>(table);
    }

    /** What to select or return: the attempt as it is after the claim counted it. */
    public List<Field<?>> afterClaim() {
        var selected = new ArrayList<Field<?>>();
        selected.add(table.id());
        selected.add(payload);
        List.of(Part.ATTEMPT, Part.PRIORITY).forEach(part -> table.find(part).ifPresent(selected::add));
        selected.addAll(micros.values());
        return selected;
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
        return afterClaim().stream()
                .<Field<?>>map(column -> marked(column, marks.get(column)))
                .toList();
    }

    private static Field<?> marked(Field<?> column, @Nullable Object mark) {
        return mark instanceof Field<?> value
                ? value.coerce(column.getDataType()).as(column.getUnqualifiedName())
                : column;
    }

    /** The row's id. */
    public Object id(Record row) {
        return row.get(table.id());
    }

    /** The payload, or why it cannot be read. */
    public Read<T> payload(Record row) {
        return row.get(payload);
    }

    /** Which delivery this is; 1 where nothing counts them. */
    public int attempt(Record row) {
        return table.find(Part.ATTEMPT)
                .map(attempt -> (Number) row.get(attempt))
                .map(Number::intValue)
                .orElse(1);
    }

    /** When the message became due, if a column tells. */
    public Optional<Instant> dueAt(Record row) {
        return Optional.ofNullable(micros.get(Part.DUE_AT)).map(row::get).map(Micros::at);
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
        var order = List.of(Part.PRIORITY, Part.DUE_AT, Part.ID).stream()
                .flatMap(part -> read(part).stream())
                .map(RowColumns::by)
                .reduce(Comparator::thenComparing)
                .orElseThrow();
        return rows.stream().<Record>map(row -> row).sorted(order).toList();
    }

    private Optional<Field<?>> read(Part part) {
        return Optional.<Field<?>>ofNullable(micros.get(part)).or(() -> table.find(part));
    }

    @SuppressWarnings("unchecked") // priorities, times and ids are comparable
    private static Comparator<Record> by(Field<?> field) {
        return Comparator.comparing(
                row -> (Comparable<Object>) row.get(field), Comparator.nullsFirst(Comparator.naturalOrder()));
    }
}
