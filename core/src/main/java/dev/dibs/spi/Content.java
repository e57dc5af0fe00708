package dev.dibs.spi;

import java.util.List;
import org.jooq.Field;
import org.jooq.Record;

/**
 * What a handler gets of a row.
 *
 * @param <T> its type
 */
interface Content<T> {

    /** What to select for it. */
    List<Field<?>> fields();

    /** It, or why it cannot be read. */
    Read<T> read(Record row);

    /** The payload's column, and its place among those that are selected. */
    record Payload<T>(Field<Read<T>> field, int place) implements Content<T> {
        @Override
        public List<Field<?>> fields() {
            return List.of(field);
        }

        @Override
        @SuppressWarnings("unchecked") // of the field's type
        public Read<T> read(Record row) {
            return (Read<T>) row.get(place);
        }
    }
}
