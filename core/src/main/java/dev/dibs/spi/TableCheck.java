package dev.dibs.spi;

import dev.dibs.table.Column;
import dev.dibs.table.DeadLetters;
import dev.dibs.table.Part;
import dev.dibs.table.PauseTable;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Set;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/** Looks whether the database has the table and the columns of a mapping, and whether they can play their parts. */
public record TableCheck(DSLContext dsl, QueueRef queue, OwnTransaction transaction) {

    private static final Set<Part> EMPTY_AT_FIRST = Set.of(Part.LEASED_UNTIL, Part.LEASE_TOKEN, Part.FINISHED_AT);
    private static final Set<Integer> NARROW = Set.of(Types.TINYINT, Types.SMALLINT, Types.INTEGER);
    private static final Set<Integer> TEXT = Set.of(
            Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR, Types.CLOB);

    /** Refuses a mapping that the database does not have, or whose columns cannot hold what is written to them. */
    public void run() {
        var own = queue.table();
        columns(own, column -> requirePlace(own, column));
        if (own.isRowMode()) {
            rest(own);
        }
        if (own.destination() instanceof DeadLetters.OtherTable dead) {
            columns(dead.table(), column -> look(dead.table(), qualified(dead.table(), column.field()), seen -> {}));
        }
        own.pauses().ifPresent(this::pauses);
    }

    private void pauses(PauseTable pauses) {
        try {
            transaction.single(
                    dsl,
                    own -> own.select(pauses.name(), pauses.paused())
                            .from(pauses.table())
                            .where(DSL.falseCondition())
                            .fetch());
        } catch (DataAccessException missing) {
            throw new QueueException(
                    "%s: whether it is paused cannot be read from %s and %s in table %s; create them, grant them to this user, or leave pausedIn(..) out (%s)"
                            .formatted(queue, pauses.name(), pauses.paused(), pauses, missing.getMessage()),
                    missing);
        }
    }

    private void columns(QueueTable<?> table, Consumer<Column> check) {
        reach(table);
        for (var column : table.columns()) {
            try {
                check.accept(column);
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
                look(table, qualified(table, field), seen -> {});
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
            look(table, DSL.one(), seen -> {});
        } catch (DataAccessException unreachable) {
            throw new QueueException(
                    "%s: table %s cannot be read; does it exist in this database, are its migrations run, and may this user read it? (%s)"
                            .formatted(queue, table, unreachable.getMessage()),
                    unreachable);
        }
    }

    private void requirePlace(QueueTable<?> table, Column column) {
        look(table, qualified(table, column.field()), seen -> {
            var type = seen.getColumnType(1);
            if (isNumber(column) && TEXT.contains(type)) {
                throw refused(column, "is text (%s), and numbers are written to it", "alter it to bigint", seen);
            }
            if (isLong(column) && isNarrow(type)) {
                throw refused(column, "is %s, and numbers of 64 bits are written to it", "alter it to bigint", seen);
            }
            if (EMPTY_AT_FIRST.contains(column.part()) && seen.isNullable(1) == ResultSetMetaData.columnNoNulls) {
                throw refused(column, "is %s not null, and it is null in a row that waits", "let it be null", seen);
            }
        });
    }

    private static boolean isNumber(Column column) {
        return Number.class.isAssignableFrom(stored(column));
    }

    private static boolean isLong(Column column) {
        return column.part() != Part.ID && stored(column) == Long.class;
    }

    private static Class<?> stored(Column column) {
        return column.field().getBinding().converter().fromType();
    }

    // An integer of SQLite has 64 bits, whatever its declaration.
    private boolean isNarrow(int type) {
        return NARROW.contains(type) && dsl.family() != SQLDialect.SQLITE;
    }

    private QueueException refused(Column column, String seen, String remedy, ResultSetMetaData type)
            throws SQLException {
        return new QueueException("%s: the column for %s %s; %s"
                .formatted(queue, column, seen.formatted(type.getColumnTypeName(1)), remedy));
    }

    // In a transaction of Dibs' own: on a shared in-memory SQLite even a reader meets the writers of its process.
    private void look(QueueTable<?> table, Field<?> column, Look look) {
        transaction.single(dsl, own -> {
            try (var rows = own.select(column)
                    .from(table.table())
                    .where(DSL.falseCondition())
                    .fetchResultSet()) {
                look.at(rows.getMetaData());
                return table;
            } catch (SQLException failed) {
                throw new DataAccessException(String.valueOf(failed.getMessage()), failed);
            }
        });
    }

    // Qualified, for SQLite reads an unknown name in double quotes as a text.
    private static Field<?> qualified(QueueTable<?> table, Field<?> field) {
        var name = table.table().getUnqualifiedName().append(field.getUnqualifiedName());
        return DSL.field(name, field.getDataType());
    }

    /** What is looked for in a column. */
    private interface Look {
        void at(ResultSetMetaData seen) throws SQLException;
    }
}
