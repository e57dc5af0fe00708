package dev.dibs.benchmarks;

import dev.dibs.schema.ManagedQueue;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The managed table of messages, as a queue in each lock form. */
final class Mappings {

    private static final Name TABLE = DSL.name("dibs_message");

    private Mappings() {}

    static QueueTable<String> of(LockForm form) {
        return switch (form) {
            case LEASE -> ManagedQueue.ofText();
            case ROW_LOCK -> withoutLease();
            case ADVISORY -> withoutLease().lockKey(id());
        };
    }

    private static QueueTable<String> withoutLease() {
        return QueueTable.of(DSL.table(TABLE), id(), DSL.field(TABLE.append("payload"), SQLDataType.CLOB))
                .queue(column("queue", String.class))
                .priority(column("priority", Integer.class))
                .dueAt(column("due_at", Long.class));
    }

    private static Field<Long> id() {
        return column("id", Long.class);
    }

    private static <T> Field<T> column(String name, Class<T> type) {
        return DSL.field(TABLE.append(name), type);
    }
}
