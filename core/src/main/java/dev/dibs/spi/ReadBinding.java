package dev.dibs.spi;

import java.io.Serial;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.jooq.Binding;
import org.jooq.BindingGetResultSetContext;
import org.jooq.BindingGetSQLInputContext;
import org.jooq.BindingGetStatementContext;
import org.jooq.BindingRegisterContext;
import org.jooq.BindingSQLContext;
import org.jooq.BindingSetSQLOutputContext;
import org.jooq.BindingSetStatementContext;
import org.jooq.Converter;
import org.jooq.Field;
import org.jooq.impl.AbstractConverter;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Reads a column through its own binding and keeps what a converter throws, so that one unreadable payload does not take
 * the rows beside it along.
 */
@SuppressWarnings({"serial", "NullAway"
}) // bindings and converters serialize only if what they wrap does; jOOQ passes null
final class ReadBinding<D, T> implements Binding<D, Read<T>> {

    @Serial
    private static final long serialVersionUID = 1L;

    private final Binding<D, T> original;
    private final Converter<T, Read<T>> wrapping;
    private final Converter<D, Read<T>> converter;

    private ReadBinding(Binding<D, T> original) {
        this.original = original;
        this.wrapping = new Wrapping<>(original.converter().toType());
        this.converter = original.converter().andThen(wrapping);
    }

    /** The same column, read so. */
    @SuppressWarnings("unchecked") // a field's binding reads the field's own type
    static <T> Field<Read<T>> field(Field<T> field) {
        var binding = (Binding<T, Read<T>>) new ReadBinding<>((Binding<T, T>) field.getBinding());
        return DSL.field(field.getQualifiedName(), field.getDataType().asConvertedDataType(binding));
    }

    @Override
    public Converter<D, Read<T>> converter() {
        return converter;
    }

    @Override
    public void get(BindingGetResultSetContext<Read<T>> context) throws SQLException {
        try {
            original.get(context.convert(wrapping));
        } catch (RuntimeException | Error unreadable) { // a converter may overflow the stack, too
            context.value(new Read<>(null, unreadable));
        }
    }

    @Override
    public void get(BindingGetStatementContext<Read<T>> context) throws SQLException {
        throw new SQLFeatureNotSupportedException("claims read rows");
    }

    @Override
    public void get(BindingGetSQLInputContext<Read<T>> context) throws SQLException {
        throw new SQLFeatureNotSupportedException("claims read rows");
    }

    @Override
    public void sql(BindingSQLContext<Read<T>> context) throws SQLException {
        throw new SQLFeatureNotSupportedException("claims bind no payload");
    }

    @Override
    public void register(BindingRegisterContext<Read<T>> context) throws SQLException {
        throw new SQLFeatureNotSupportedException("claims bind no payload");
    }

    @Override
    public void set(BindingSetStatementContext<Read<T>> context) throws SQLException {
        throw new SQLFeatureNotSupportedException("claims bind no payload");
    }

    @Override
    public void set(BindingSetSQLOutputContext<Read<T>> context) throws SQLException {
        throw new SQLFeatureNotSupportedException("claims bind no payload");
    }

    private static final class Wrapping<T> extends AbstractConverter<T, Read<T>> {

        @Serial
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unchecked") // the class of a generic record
        Wrapping(Class<T> type) {
            super(type, (Class<Read<T>>) (Class<?>) Read.class);
        }

        @Override
        public Read<T> from(@Nullable T value) {
            return new Read<>(value, null);
        }

        @Override
        public @Nullable T to(@Nullable Read<T> read) {
            return read == null ? null : read.value();
        }
    }
}
