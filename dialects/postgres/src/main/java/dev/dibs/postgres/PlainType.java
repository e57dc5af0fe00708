package dev.dibs.postgres;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jooq.Binding;
import org.jooq.Converter;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.JSONB;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultBinding;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** A type whose values PostgreSQL reads from the texts that are written here. */
enum PlainType {
    TEXT,
    SMALLINT,
    INTEGER,
    BIGINT,
    NUMERIC,
    BOOLEAN,
    UUID,
    JSON,
    JSONB,
    BYTES;

    /** The type of a value that jOOQ binds in its own way, with or without a converter. */
    static Optional<PlainType> of(Field<?> value) {
        return Arrays.stream(values()).filter(plain -> plain.isOf(value)).findFirst();
    }

    /** Whether a value is of this type. */
    boolean isOf(Field<?> value) {
        return value instanceof Param<?>
                && isOfJooq(value.getBinding())
                && type().getType() == value.getConverter().fromType();
    }

    /** A value of this type as text; null is no text. */
    @Nullable
    String text(Field<?> value) {
        var stored = stored(value);
        if (stored instanceof byte[] bytes) {
            return "\\x" + HexFormat.of().formatHex(bytes);
        }
        if (stored instanceof JSON json) {
            return json.data();
        }
        if (stored instanceof JSONB json) {
            return json.data();
        }
        return stored == null ? null : stored.toString();
    }

    /** The value of such a text. A cast to text itself could cut it. */
    Field<?> read(Field<String> text) {
        return this == TEXT ? text : DSL.cast(text, type());
    }

    private DataType<?> type() {
        return switch (this) {
            case TEXT -> SQLDataType.CLOB;
            case SMALLINT -> SQLDataType.SMALLINT;
            case INTEGER -> SQLDataType.INTEGER;
            case BIGINT -> SQLDataType.BIGINT;
            case NUMERIC -> SQLDataType.NUMERIC;
            case BOOLEAN -> SQLDataType.BOOLEAN;
            case UUID -> SQLDataType.UUID;
            case JSON -> SQLDataType.JSON;
            case JSONB -> SQLDataType.JSONB;
            case BYTES -> SQLDataType.BLOB;
        };
    }

    private static boolean isOfJooq(Binding<?, ?> binding) {
        return binding.getClass().getEnclosingClass() == DefaultBinding.class;
    }

    @SuppressWarnings("unchecked") // the converter is that of the value's own type
    private static @Nullable Object stored(Field<?> value) {
        return ((Converter<Object, Object>) value.getConverter()).to(((Param<?>) value).getValue());
    }
}
