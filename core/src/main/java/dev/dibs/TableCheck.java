package dev.dibs;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Column;
import dev.dibs.table.DeadLetters;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/** Looks whether the database has the table and the columns of a mapping. */
final class TableCheck {

    private TableCheck() {}

    /** Refuses a mapping that the database does not have. */
    static void run(DSLContext dsl, QueueRef queue) {
        columns(dsl, queue, queue.table());
        if (queue.table().destination() instanceof DeadLetters.OtherTable dead) {
            columns(dsl, queue, dead.table());
        }
    }

    private static void columns(DSLContext dsl, QueueRef queue, QueueTable<?> table) {
        reach(dsl, queue, table);
        for (var column : table.columns()) {
            try {
                look(dsl, table, List.of(qualified(table, column)));
            } catch (DataAccessException missing) {
                throw new QueueException(
                        "%s: table %s has no column for %s; create it, or map the part to the column that plays it (%s)"
                                .formatted(queue, table, column, missing.getMessage()),
                        missing);
            }
        }
    }

    private static void reach(DSLContext dsl, QueueRef queue, QueueTable<?> table) {
        try {
            look(dsl, table, List.of(DSL.one()));
        } catch (DataAccessException unreachable) {
            throw new QueueException(
                    "%s: table %s cannot be read; does it exist in this database, are its migrations run, and may this user read it? (%s)"
                            .formatted(queue, table, unreachable.getMessage()),
                    unreachable);
        }
    }

    private static void look(DSLContext dsl, QueueTable<?> table, List<Field<?>> columns) {
        dsl.select(columns).from(table.table()).where(DSL.falseCondition()).fetch();
    }

    // Qualified, for SQLite reads an unknown name in double quotes as a text.
    private static Field<?> qualified(QueueTable<?> table, Column column) {
        var name = table.table().getUnqualifiedName().append(column.field().getUnqualifiedName());
        return DSL.field(name, column.field().getDataType());
    }
}
