package dev.dibs;

import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.when;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.InsertReturningStep;
import org.jooq.InsertValuesStepN;
import org.jooq.Param;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The statements that write new rows.
 *
 * <p>A row whose dedup key is there is not written, and its transaction goes on: the unique index decides, and not a
 * look before. PostgreSQL and SQLite say {@code on conflict do nothing}. On MySQL and MariaDB a conflict updates the row
 * that is there without changing it, which also locks it, so that it cannot be settled before it is read; {@code insert
 * ignore} would swallow other errors too.
 */
final class Inserts {

    /** Rows of one insert: few enough for every database's limit on parameters. */
    private static final int ROWS_PER_INSERT = 500;

    /** Characters of one insert, beyond its first row: far below what servers take in one packet. */
    private static final long CHARACTERS_PER_INSERT = 1_000_000;

    /** More often than a key's message is ever settled between two statements. */
    private static final int MOST_LOOKS = 20;

    private final QueueRef queue;
    private final QueueTable<?> table;

    Inserts(QueueRef queue) {
        this.queue = queue;
        this.table = queue.table();
    }

    /** Writes a row, unless its key is there. */
    Receipt one(DSLContext dsl, Map<Field<?>, Object> row) {
        var key = keyOf(row);
        if (key == null) {
            return new Receipt(written(dsl, row), true);
        }
        return isMysql(dsl) ? keyedOnMysql(dsl, row, key) : keyed(dsl, row, key);
    }

    /** Writes the rows, each unless its key is there. */
    void all(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        for (int from = 0; from < rows.size(); ) {
            var chunk = rows.subList(from, from + fitting(rows, from));
            insert(dsl, chunk);
            from += chunk.size();
        }
    }

    private int fitting(List<Map<Field<?>, Object>> rows, int from) {
        var most = Math.min(rows.size() - from, ROWS_PER_INSERT);
        var characters = characters(rows.get(from));
        for (int count = 1; count < most; count++) {
            characters += characters(rows.get(from + count));
            if (characters > CHARACTERS_PER_INSERT) {
                return count;
            }
        }
        return most;
    }

    private static long characters(Map<Field<?>, Object> row) {
        return row.values().stream()
                .map(value -> value instanceof Param<?> bound ? bound.getValue() : value)
                .mapToLong(value -> value instanceof CharSequence text ? text.length() : 0)
                .sum();
    }

    private void insert(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        var columns =
                rows.stream().flatMap(row -> row.keySet().stream()).distinct().toList();
        var insert = dsl.insertInto(table.table(), columns);
        for (var row : rows) {
            insert = insert.values(columns.stream()
                    .map(column -> row.getOrDefault(column, DSL.defaultValue(column)))
                    .toList());
        }
        var keyed = rows.stream().anyMatch(row -> keyOf(row) != null);
        (keyed ? unlessThere(dsl, insert) : insert).execute();
    }

    private InsertReturningStep<?> unlessThere(DSLContext dsl, InsertValuesStepN<?> insert) {
        return isMysql(dsl)
                ? insert.onDuplicateKeyUpdate().set(Map.of(table.id(), unchanged(table.id())))
                : insert.onConflict(indexed()).where(dedupKey().isNotNull()).doNothing();
    }

    private Receipt keyed(DSLContext dsl, Map<Field<?>, Object> row, Object key) {
        for (int look = 0; look < MOST_LOOKS; look++) {
            var written = dsl.insertInto(table.table())
                    .set(row)
                    .onConflict(indexed())
                    .where(dedupKey().isNotNull())
                    .doNothing()
                    .returningResult(table.id())
                    .fetchOptional();
            if (written.isPresent()) {
                return new Receipt(written.get().value1(), true);
            }
            var there = there(dsl, key);
            if (there.isPresent()) {
                return new Receipt(there.get(), false);
            }
        }
        throw restless(key);
    }

    private Optional<Object> there(DSLContext dsl, Object key) {
        return dsl.select(table.id())
                .from(table.table())
                .where(has(key))
                .fetchOptional(table.id());
    }

    private Receipt keyedOnMysql(DSLContext dsl, Map<Field<?>, Object> row, Object key) {
        var given = givenId(row);
        if (given == null) {
            requireGeneratedId(dsl);
        }
        dsl.insertInto(table.table())
                .set(row)
                .onDuplicateKeyUpdate()
                .set(Map.of(table.id(), given == null ? unchangedAndNoticed(table.id()) : unchanged(table.id())))
                .execute();
        var generated = function("last_insert_id", SQLDataType.BIGINT);
        var there = dsl.select(table.id(), generated)
                .from(table.table())
                .where(has(key))
                .forUpdate() // reads what is there now, whatever the transaction's snapshot
                .fetchOptional()
                .orElseThrow(() -> restless(key));
        var id = there.value1();
        var isNew = given == null ? ((Number) id).longValue() == there.value2() : given.equals(id);
        return new Receipt(id, isNew);
    }

    // The id stays as it is, if the conflict is about the key; about anything else it is an error, for no id is null.
    private <V> Field<V> unchanged(Field<V> id) {
        return when(sameKey(), id).otherwise(castNull(id));
    }

    // A conflict sets last_insert_id() to zero, which an insert sets to the new id: the count of rows would not tell.
    private Field<Object> unchangedAndNoticed(Field<Object> id) {
        var zero = function("last_insert_id", SQLDataType.BIGINT, inline(0));
        return when(sameKey(), id.plus(zero)).otherwise(castNull(id));
    }

    private Condition sameKey() {
        return indexed().stream()
                .map(column -> column.eq(excluded(column)))
                .reduce(Condition::and)
                .orElseThrow();
    }

    private Object written(DSLContext dsl, Map<Field<?>, Object> row) {
        var given = givenId(row);
        var insert = dsl.insertInto(table.table()).set(row);
        if (given != null) {
            insert.execute();
            return given;
        }
        if (dsl.family() == SQLDialect.MYSQL) {
            requireGeneratedId(dsl);
        }
        if (dsl.family() == SQLDialect.MYSQL && table.table().getIdentity() == null) { // jOOQ asks the driver for identities alone
            insert.execute();
            return table.id().getDataType().convert(dsl.lastID());
        }
        return insert.returningResult(table.id()).fetchSingle().value1();
    }

    private void requireGeneratedId(DSLContext dsl) {
        if (!Number.class.isAssignableFrom(table.id().getType())) {
            throw new QueueException(
                    "%s: %s tells no id that is not an auto-increment number, and %s is %s; give the ids with ids(..), or in the record"
                            .formatted(
                                    queue,
                                    dsl.dialect().getName(),
                                    table.id(),
                                    table.id().getType().getSimpleName()));
        }
    }

    private @Nullable Object givenId(Map<Field<?>, Object> row) {
        return table.id().getDataType().convert(value(row, table.id()));
    }

    private @Nullable Object keyOf(Map<Field<?>, Object> row) {
        return table.find(Part.DEDUP_KEY).map(column -> value(row, column)).orElse(null);
    }

    private static @Nullable Object value(Map<Field<?>, Object> row, Field<Object> column) {
        var value = row.get(column);
        return value instanceof Param<?> bound ? bound.getValue() : value;
    }

    private Condition has(Object key) {
        return queue.mine().and(dedupKey().eq(key));
    }

    private Field<Object> dedupKey() {
        return table.column(Part.DEDUP_KEY);
    }

    /** The columns of the unique index. */
    List<Field<Object>> indexed() {
        return List.of(Part.QUEUE, Part.DEDUP_KEY).stream()
                .flatMap(part -> table.find(part).stream())
                .toList();
    }

    private static boolean isMysql(DSLContext dsl) {
        return dsl.family() == SQLDialect.MYSQL || dsl.family() == SQLDialect.MARIADB;
    }

    private QueueException restless(Object key) {
        return new QueueException(
                "%s: a message of the dedup key \"%s\" could not be written, and none was found either; try again"
                        .formatted(queue, key));
    }
}
