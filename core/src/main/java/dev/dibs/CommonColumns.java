package dev.dibs;

import dev.dibs.table.QueueTable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jooq.Field;

/** The columns that a queue's table and that of its dead letters have in common. */
final class CommonColumns {

    private CommonColumns() {}

    /**
     * Columns of the dead letters, each with the queue's own that holds the same: by the part that both play, and by their
     * names where the rest of the row is the message's content.
     */
    static Map<Field<?>, Field<?>> of(QueueTable<?> own, QueueTable<?> dead) {
        var common = new LinkedHashMap<Field<?>, Field<?>>();
        if (own.isRowMode()) {
            own.unmapped()
                    .forEach(original -> Optional.ofNullable(dead.table().field(original.getName()))
                            .ifPresent(copy -> common.put(copy, original)));
        }
        for (var column : dead.columns()) {
            own.find(column.part()).ifPresent(original -> common.put(column.field(), original));
        }
        return common;
    }
}
