package dev.dibs;

import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.DeadLetters;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/** Looks whether the database has the table and the columns of a mapping. */
record TableCheck(DSLContext dsl, QueueRef queue, OwnTransaction transaction) {

    /** Refuses a mapping that the database does not have. */
    void run() {
        columns(queue.table());
        if (queue.table().isRowMode()) {
            rest(queue.table());
        }
        if (queue.table().destination() instanceof DeadLetters.OtherTable dead) {
            columns(dead.table());
        }
    }

    private void columns(QueueTable<?> table) {
        reach(table);
        for (var column : table.columns()) {
            try {
                look(table, qualified(table, column.field()));
            } catch (DataAccessException missing) {
                throw new QueueException(
                        "%s: in table %s the column for %s cannot be read; create it, map the part to the column that plays it, or grant it to this user (%s)"
                                .formatted(queue, table, column, missing.getMessage()),
                        missing);
            }
        }
    }

    private void rest(QueueTable<?> table) {
        for (var field : table.unmapped()) {
            try {
                look(table, qualified(table, field));
            } catch (DataAccessException missing) {
                throw new QueueException(
                        "%s: in table %s the column %s cannot be read, though its rows are read whole; bring the jOOQ table and the database's to one state (%s)"
                                .formatted(queue, table, field, missing.getMessage()),
                        missing);
            }
        }
    }

    private void reach(QueueTable<?> table) {
        try {
            look(table, DSL.one());
        } catch (DataAccessException unreachable) {
            throw new QueueException(
                    "%s: table %s cannot be read; does it exist in this database, are its migrations run, and may this user read it? (%s)"
                            .formatted(queue, table, unreachable.getMessage()),
                    unreachable);
        }
    }

    // In a transaction of Dibs' own: on a shared in-memory SQLite even a reader meets the writers of its process.
    private void look(QueueTable<?> table, Field<?> column) {
        transaction.single(
                dsl,
                own -> own.select(column)
                        .from(table.table())
                        .where(DSL.falseCondition())
                        .fetch());
    }

    // Qualified, for SQLite reads an unknown name in double quotes as a text.
    private static Field<?> qualified(QueueTable<?> table, Field<?> field) {
        var name = table.table().getUnqualifiedName().append(field.getUnqualifiedName());
        return DSL.field(name, field.getDataType());
    }
}
