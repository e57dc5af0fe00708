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
    TEXT(SQLDataType.CLOB),
    SMALLINT(SQLDataType.SMALLINT),
    INTEGER(SQLDataType.INTEGER),
    BIGINT(SQLDataType.BIGINT),
    NUMERIC(SQLDataType.NUMERIC),
    BOOLEAN(SQLDataType.BOOLEAN),
    UUID(SQLDataType.UUID),
    JSON(SQLDataType.JSON),
    JSONB(SQLDataType.JSONB),
    BYTES(SQLDataType.BLOB);

    private final DataType<?> type;

    PlainType(DataType<?> type) {
        this.type = type;
    }

    /** The type of a value that jOOQ binds in its own way, with or without a converter. */
    static Optional<PlainType> of(Field<?> value) {
        return value instanceof Param<?> && isOfJooq(value.getBinding())
                ? Arrays.stream(values())
                        .filter(plain ->
                                plain.type.getType() == value.getConverter().fromType())
                        .findFirst()
                : Optional.empty();
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
        return this == TEXT ? text : DSL.cast(text, type);
    }

    private static boolean isOfJooq(Binding<?, ?> binding) {
        return binding.getClass().getEnclosingClass() == DefaultBinding.class;
    }

    @SuppressWarnings("unchecked") // the converter is that of the value's own type
    private static @Nullable Object stored(Field<?> value) {
        return ((Converter<Object, Object>) value.getConverter()).to(((Param<?>) value).getValue());
    }
}
