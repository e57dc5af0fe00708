package dev.dibs.time;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Converter;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * A column that holds a time, whatever its type.
 *
 * <p>A moment is cut to the column's precision, so that what is due now is due now; a moment to come is rounded up, so
 * that no delay and no lease is shorter than asked.
 */
public final class TimeColumn {

    private static final long SECOND = 1_000_000;
    private static final long MILLISECOND = 1_000;
    private static final long MICROSECOND = 1;

    private final Field<Object> field;
    private final TimeKind kind;
    private final long unit;

    @SuppressWarnings("unchecked") // written and read as numbers, by expressions that no Java type is asked for
    private TimeColumn(Field<?> field, TimeKind kind, long unit) {
        this.field = (Field<Object>) field;
        this.kind = kind;
        this.unit = unit;
    }

    /**
     * A column as one that holds times: a bigint, a date and time, on SQLite a text.
     *
     * <p>A bigint counts microseconds, unless a converter or {@link TimeFields} makes it an Instant in another unit.
     *
     * @throws IllegalArgumentException if its type cannot, or a converter means something else by it
     */
    public static TimeColumn of(Field<?> field) {
        var stored = field.getConverter().fromType();
        if (stored == Long.class) {
            return new TimeColumn(field, TimeKind.EPOCH, unitOf(field));
        }
        if (stored == LocalDateTime.class || stored == Timestamp.class) {
            requireUtc(field, stored);
            return new TimeColumn(field, TimeKind.UTC, precisionOf(field));
        }
        if (stored == OffsetDateTime.class || stored == Instant.class) {
            return new TimeColumn(field, TimeKind.ZONED, precisionOf(field));
        }
        if (stored == String.class && field.getType() == String.class) {
            return new TimeColumn(field, TimeKind.UTC, MICROSECOND);
        }
        throw refused(field);
    }

    /** True where the column's time has come. */
    public Condition reached(Now now) {
        return kind.reached(this, whole(now.compared(), 0));
    }

    /** The value to write for this moment. */
    public Field<Object> value(Now now) {
        return written(whole(now.written(), 0), Duration.ZERO);
    }

    /** The value to write for a moment to come; never earlier than asked. */
    public Field<Object> value(Now now, Duration later) {
        return written(micros(now, later), later);
    }

    /** The value to write for a given instant, cut to what the column holds. */
    public Field<Object> value(Instant instant) {
        return written(whole(DSL.val(Micros.of(instant)), 0), Duration.ZERO);
    }

    /** What {@link #value(Now, Duration)} writes, in microseconds. */
    public Field<Long> micros(Now now, Duration later) {
        return later.isZero() ? whole(now.written(), 0) : whole(now.written(), Micros.of(later) + unit - 1);
    }

    /** The value to write where there is no time. */
    public Field<Object> none() {
        return DSL.inline((Object) null, field.getDataType());
    }

    /** The column as microseconds, which is how to read it; null where it holds no time. */
    public Field<Long> read() {
        return kind.read(field, unit);
    }

    /** The instant of a value that was read so. */
    public @Nullable Instant instant(@Nullable Object read) {
        return read instanceof Long micros ? Micros.at(micros) : null;
    }

    /** True where the column holds what was read so. */
    public Condition is(long read) {
        return read().eq(read);
    }

    /** Whether it holds every microsecond, so that two claims of a row, one after the other, never end alike. */
    public boolean isExact() {
        return unit == MICROSECOND;
    }

    /** Whether it is a number, which the database takes for no time. */
    public boolean isNumber() {
        return kind == TimeKind.EPOCH;
    }

    /** Whether it is a point in time, which the database shows in the session's zone. */
    public boolean isZoned() {
        return kind == TimeKind.ZONED;
    }

    /** How many digits its seconds have. */
    public int digits() {
        return unit == SECOND ? 0 : unit == MILLISECOND ? 3 : 6;
    }

    /** Whether values may be copied from the one column to the other as they are. */
    public boolean isLike(TimeColumn other) {
        return kind == other.kind && (kind != TimeKind.EPOCH || unit == other.unit);
    }

    /**
     * Refuses a column that a database does not have, or of which too little is known.
     *
     * @throws IllegalArgumentException naming the remedy
     */
    public void requireServed(SQLDialect family) {
        kind.requireServed(this, family);
    }

    /** How it holds times, as messages say it. */
    public String description() {
        return isNumber() ? "%s of %s".formatted(kind, unitName()) : kind.toString();
    }

    /** The column as messages name it. */
    @Override
    public String toString() {
        return field.toString();
    }

    Field<Object> field() {
        return field;
    }

    DataType<Object> type() {
        return field.getDataType();
    }

    long unit() {
        return unit;
    }

    boolean isText() {
        return String.class.equals(field.getType());
    }

    private Field<Object> written(Field<Long> micros, Duration later) {
        return kind.written(this, micros, about(micros, later));
    }

    // What the database's clock says is not known here; whether a delay leads too far is, well enough.
    private static Instant about(Field<Long> micros, Duration later) {
        if (micros instanceof Param<Long> given) {
            return Micros.at(given.getValue());
        }
        return later.isZero() ? TimeKind.FIRST : DatabaseClock.estimate().plus(later);
    }

    /** The microseconds and some more, cut to a multiple of the column's unit. */
    private Field<Long> whole(Field<Long> micros, long more) {
        if (micros instanceof Param<Long> given) {
            return DSL.val(Math.floorDiv(given.getValue() + more, unit) * unit);
        }
        var sum = more == 0 ? micros : micros.plus(DSL.val(more));
        return unit == MICROSECOND ? sum : DatabaseClock.cut(sum, unit);
    }

    private String unitName() {
        return unit == SECOND ? "seconds" : unit == MILLISECOND ? "milliseconds" : "microseconds";
    }

    // A converter says itself in which unit it counts.
    private static long unitOf(Field<?> field) {
        if (field.getType() == Long.class) {
            return MICROSECOND;
        }
        return List.of(SECOND, MILLISECOND, MICROSECOND).stream()
                .filter(unit -> Long.valueOf(SECOND / unit).equals(stored(field, Instant.EPOCH.plusSeconds(1))))
                .findFirst()
                .orElseThrow(() -> refused(field));
    }

    private static void requireUtc(Field<?> field, Class<?> stored) {
        var epoch = LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC);
        if (field.getType() != stored && !epoch.equals(stored(field, Instant.EPOCH))) {
            throw refused(field);
        }
    }

    private static @Nullable Object stored(Field<?> field, Instant instant) {
        return field.getType() == Instant.class ? converter(field).to(instant) : null;
    }

    @SuppressWarnings("unchecked") // asked of fields whose type is Instant
    private static Converter<Object, Object> converter(Field<?> field) {
        return (Converter<Object, Object>) field.getConverter();
    }

    private static long precisionOf(Field<?> field) {
        var type = field.getDataType();
        if (!type.precisionDefined() || type.precision() >= 6) {
            return MICROSECOND;
        }
        return type.precision() >= 3 ? MILLISECOND : SECOND;
    }

    private static IllegalArgumentException refused(Field<?> field) {
        return new IllegalArgumentException(
                "the column %s holds times as %s, which is not known; use a bigint (of microseconds since 1970, or see TimeFields), a date and time such as LOCALDATETIME or OFFSETDATETIME, or on SQLite a text"
                        .formatted(field, typeOf(field)));
    }

    private static String typeOf(Field<?> field) {
        var stored = field.getConverter().fromType();
        return stored == field.getType()
                ? stored.getSimpleName()
                : "%s made of %s".formatted(field.getType().getSimpleName(), stored.getSimpleName());
    }
}
