package dev.dibs.spi;

import java.util.Map;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.JSONB;

/** A column that holds headers, as one JSON object of strings in a text, json or jsonb column. */
public final class HeadersColumn {

    private final Field<Object> field;
    private final Field<Read<Object>> reading;

    private HeadersColumn(Field<Object> field) {
        this.field = field;
        this.reading = ReadBinding.field(field);
    }

    /**
     * A column as one that holds headers.
     *
     * @throws IllegalArgumentException if its type cannot
     */
    public static HeadersColumn of(Field<Object> field) {
        Class<?> type = field.getType();
        if (type != String.class && type != JSON.class && type != JSONB.class) {
            throw new IllegalArgumentException(
                    "the column %s holds headers as %s, which is not known; use text, json or jsonb"
                            .formatted(field, type.getSimpleName()));
        }
        return new HeadersColumn(field);
    }

    /**
     * The value to write.
     *
     * @throws IllegalArgumentException if a header cannot be stored on every database
     */
    public Object value(Map<String, String> headers) {
        return field.getDataType().convert(JsonStrings.write(headers));
    }

    /** What to select. */
    Field<Read<Object>> field() {
        return reading;
    }

    /** The headers that {@link #field()} has read, or why they cannot be read. */
    @SuppressWarnings("unchecked") // of the field's type
    Read<Map<String, String>> read(Object value) {
        var read = (Read<Object>) value;
        if (read.failure() != null) {
            return new Read<>(null, read.failure());
        }
        try {
            return new Read<>(read.value() == null ? Map.of() : JsonStrings.read(text(read.value())), null);
        } catch (IllegalArgumentException unreadable) {
            return new Read<>(null, unreadable);
        }
    }

    private static String text(Object value) {
        if (value instanceof JSON json) {
            return json.data();
        }
        return value instanceof JSONB json ? json.data() : (String) value;
    }
}
