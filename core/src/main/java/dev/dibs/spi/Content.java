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

    /** The payload's column. */
    record Payload<T>(Field<Read<T>> field) implements Content<T> {
        @Override
        public List<Field<?>> fields() {
            return List.of(field);
        }

        @Override
        public Read<T> read(Record row) {
            return row.get(field);
        }
    }
}
