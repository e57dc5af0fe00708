package dev.dibs.postgres;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.list;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Inserts whose parameters are arrays, one for each column that has more than one value. */
final class PostgresArrays {

    private static final int ROWS = 1_000;

    /** Characters of one insert, beyond its last row: far below what a server takes. */
    private static final long CHARACTERS = 1_000_000;

    private final BulkRows bulk;
    private final List<@Nullable String[]> texts = new ArrayList<>();
    private long characters;

    private PostgresArrays(BulkRows bulk) {
        this.bulk = bulk;
    }

    /** Writes the rows. */
    static void insert(DSLContext dsl, BulkRows bulk) {
        var arrays = new PostgresArrays(bulk);
        for (var row : bulk.rows()) {
            arrays.add(row);
            if (arrays.isFull()) {
                arrays.write(dsl);
            }
        }
        arrays.write(dsl);
    }

    private void add(Object[] row) {
        var cells = new @Nullable String[bulk.listed().size()];
        for (int column = 0; column < cells.length; column++) {
            var text = bulk.listed().get(column).text(row);
            cells[column] = text;
            characters += text == null ? 0 : text.length();
        }
        texts.add(cells);
    }

    private boolean isFull() {
        return texts.size() == ROWS || characters > CHARACTERS;
    }

    private void write(DSLContext dsl) {
        if (!texts.isEmpty()) {
            var columns = new ArrayList<Field<?>>();
            var values = new ArrayList<Field<?>>();
            bulk.same().forEach(same -> {
                columns.add(same.column());
                values.add(same.value());
            });
            for (int column = 0; column < bulk.listed().size(); column++) {
                var listed = bulk.listed().get(column);
                columns.add(listed.column());
                values.add(listed.type().read(given(column)));
            }
            dsl.insertInto(bulk.table(), columns)
                    .select(select(values).from(given()))
                    .execute();
            texts.clear();
            characters = 0;
        }
    }

    // jOOQ's unnest takes one array, and PostgreSQL's any number, which it reads side by side.
    private Table<?> given() {
        var arrays = new ArrayList<Param<?>>();
        var names = new ArrayList<String>();
        for (int column = 0; column < bulk.listed().size(); column++) {
            arrays.add(array(column));
            names.add(columnName(column));
        }
        return table("unnest({0})", list(arrays)).as("given", names.toArray(String[]::new));
    }

    private Param<?> array(int column) {
        return val(texts.stream().map(cells -> cells[column]).toArray(String[]::new), SQLDataType.CLOB.array());
    }

    private static Field<String> given(int column) {
        return field(name("given", columnName(column)), SQLDataType.CLOB);
    }

    private static String columnName(int column) {
        return "column_%d".formatted(column);
    }
}
