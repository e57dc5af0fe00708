package dev.dibs.codegen;

import dev.dibs.table.Part;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.JSON;
import org.jooq.JSONB;

/** What a part asks of its column's type. */
enum Demand {
    ANYTHING("any type"),
    TEXT("a text that no converter changes"),
    NUMBER("a number"),
    LONG("a bigint"),
    ORDERED("a type that can be compared, such as bigint, int, uuid or text"),
    TIME("a bigint or a date and time, as it is or converted to Instant, or on SQLite a text"),
    HEADERS("text, json or jsonb");

    // Converted in any way they are compared and written as what they are.
    private static final List<Class<?>> POINTS = List.of(OffsetDateTime.class, Instant.class);

    private static final List<Class<?>> TIMES =
            List.of(Long.class, LocalDateTime.class, Timestamp.class, OffsetDateTime.class, Instant.class);

    private final String description;

    Demand(String description) {
        this.description = description;
    }

    /** What a part asks for. */
    static Demand of(Part part) {
        return switch (part) {
            case ID -> ORDERED;
            case PAYLOAD, ORDER_KEY -> ANYTHING;
            case QUEUE, DEDUP_KEY, ERROR -> TEXT;
            case PRIORITY, ATTEMPT -> NUMBER;
            case DUE_AT, LEASED_UNTIL, FINISHED_AT, CREATED_AT -> TIME;
            case LEASE_TOKEN -> LONG;
            case HEADERS -> HEADERS;
        };
    }

    /** Whether a type meets it. */
    boolean isMetBy(ColumnType type) {
        return switch (this) {
            case ANYTHING -> true;
            case TEXT -> type.isReadAs(String.class);
            case NUMBER -> isNumber(type);
            case LONG -> type.isReadAs(Long.class);
            case ORDERED -> isOrdered(type);
            case TIME -> isTime(type);
            case HEADERS -> isOneOf(type, List.of(String.class, JSON.class, JSONB.class));
        };
    }

    /** What is asked for, as messages say it. */
    @Override
    public String toString() {
        return description;
    }

    private static boolean isNumber(ColumnType type) {
        return isOneOf(type, List.of(Number.class, Byte.class, Short.class, Integer.class, Long.class));
    }

    // Whether a converter's type can be compared is known when the generated class is loaded, and not here.
    private static boolean isOrdered(ColumnType type) {
        return type.isConverted() || type.isReadAs(Comparable.class);
    }

    private static boolean isTime(ColumnType type) {
        if (!type.isConverted()) {
            return isOneOf(type, TIMES) || (type.isReadAs(String.class) && isTextATime(type));
        }
        var stored = type.stored().filter(TIMES::contains);
        return stored.filter(POINTS::contains).isPresent() || (stored.isPresent() && type.isReadAs(Instant.class));
    }

    private static boolean isTextATime(ColumnType type) {
        return switch (type.dialect().family()) {
            case POSTGRES, MYSQL, MARIADB -> false;
            default -> true;
        };
    }

    private static boolean isOneOf(ColumnType type, List<Class<?>> classes) {
        return classes.stream().anyMatch(type::isReadAs);
    }
}
