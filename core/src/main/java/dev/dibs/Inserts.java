package dev.dibs;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.InsertValuesStepN;
import org.jooq.Param;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * The statements that write new rows.
 *
 * <p>A row whose dedup key is there is not written, and its transaction goes on: the unique index decides, and not a
 * look before. PostgreSQL and SQLite say {@code on conflict do nothing}. MySQL and MariaDB refuse the one statement, and
 * keep the key's entry locked, so that it cannot go away before it is read. ({@code insert ignore} would swallow other
 * errors too, and {@code on duplicate key update} locks the row as well, against the order in which it is settled.)
 */
final class Inserts {

    /** Rows of one insert: few enough for every database's limit on parameters. */
    private static final int ROWS_PER_INSERT = 500;

    /** As many as jOOQ binds there. */
    private static final int SQLITE_PARAMETERS = 999;

    /** Characters of one insert, beyond its first row: far below what servers take in one packet. */
    private static final long CHARACTERS_PER_INSERT = 1_000_000;

    /** More often than a key's message is ever settled between two statements. */
    private static final int MOST_LOOKS = 10;

    private static final int MYSQL_DUPLICATE = 1062;

    private final QueueRef queue;
    private final QueueTable<?> table;

    Inserts(QueueRef queue) {
        this.queue = queue;
        this.table = queue.table();
    }

    /** Writes a row, unless its key is there. */
    Enqueued one(DSLContext dsl, Map<Field<?>, Object> row) {
        var key = keyOf(row);
        if (key == null) {
            return new Enqueued(written(dsl, row), true);
        }
        return keyed(dsl, row, key);
    }

    /** Writes the rows, each unless its key is there. */
    void all(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        var most = mostRows(dsl, rows);
        for (int from = 0; from < rows.size(); ) {
            var rest = rows.subList(from, Math.min(from + most, rows.size()));
            var chunk = rest.subList(0, fitting(rest));
            insert(dsl, chunk);
            from += chunk.size();
        }
    }

    // Beyond its limit jOOQ writes all values into the statement's text.
    private static int mostRows(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        return dsl.family() == SQLDialect.SQLITE
                ? Math.max(1, SQLITE_PARAMETERS / Math.max(1, columns(rows).size()))
                : ROWS_PER_INSERT;
    }

    /** How many of the rows, from the first on, are few and short enough for one insert. */
    int fitting(List<Map<Field<?>, Object>> rows) {
        var most = Math.min(rows.size(), ROWS_PER_INSERT);
        var characters = characters(rows.get(0));
        for (int count = 1; count < most; count++) {
            characters += characters(rows.get(count));
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

    /** Whether a row has a dedup key. */
    boolean isKeyed(List<Map<Field<?>, Object>> rows) {
        return table.has(Part.DEDUP_KEY) && rows.stream().anyMatch(row -> keyOf(row) != null);
    }

    private void insert(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        if (!isKeyed(rows)) {
            values(dsl, rows).execute();
        } else if (isMysql(dsl)) {
            halved(dsl, rows);
        } else {
            values(dsl, rows)
                    .onConflict(indexed())
                    .where(dedupKey().isNotNull())
                    .doNothing()
                    .execute();
        }
    }

    // Around a duplicate the rows are written in smaller and smaller parts.
    private void halved(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        if (rows.size() == 1) {
            one(dsl, rows.get(0));
            return;
        }
        if (duplicateOf(() -> values(dsl, rows).execute()).isPresent()) {
            halved(dsl, rows.subList(0, rows.size() / 2));
            halved(dsl, rows.subList(rows.size() / 2, rows.size()));
        }
    }

    /** One insert of all rows. */
    InsertValuesStepN<?> values(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        var columns = columns(rows);
        InsertValuesStepN<?> insert = dsl.insertInto(table.table(), columns);
        for (var row : rows) {
            insert = insert.values(columns.stream()
                    .map(column -> row.getOrDefault(column, DSL.defaultValue(column)))
                    .toList());
        }
        return insert;
    }

    private static List<Field<?>> columns(List<Map<Field<?>, Object>> rows) {
        return rows.stream()
                .flatMap(row -> row.keySet().stream())
                .<Field<?>>map(column -> column)
                .distinct()
                .toList();
    }

    private Enqueued keyed(DSLContext dsl, Map<Field<?>, Object> row, Object key) {
        RuntimeException refusal = null;
        for (int look = 0; look < MOST_LOOKS; look++) {
            var attempt = attempt(dsl, row, key);
            if (attempt.id() != null) {
                return new Enqueued(attempt.id(), true);
            }
            var there = there(dsl, key);
            if (there.isPresent()) {
                return new Enqueued(there.get(), false);
            }
            refusal = attempt.refusal();
        }
        throw refusal != null ? refusal : restless(key); // a refusal that is about another key than this one
    }

    private Attempt attempt(DSLContext dsl, Map<Field<?>, Object> row, Object key) {
        if (isMysql(dsl)) {
            var id = new AtomicReference<Object>();
            var refusal = duplicateOf(() -> id.set(written(dsl, row)));
            return new Attempt(id.get(), refusal.orElse(null));
        }
        var insert = dsl.insertInto(table.table())
                .set(row)
                .onConflict(indexed())
                .where(dedupKey().isNotNull())
                .doNothing();
        if (dsl.family() == SQLDialect.SQLITE) { // jOOQ would return the last row that the connection inserted ever
            var id = insert.execute() == 1 ? there(dsl, key) : Optional.empty();
            return new Attempt(id.orElse(null), null);
        }
        return new Attempt(insert.returningResult(table.id()).fetchOne(table.id()), null);
    }

    private static Optional<RuntimeException> duplicateOf(Runnable insert) {
        try {
            insert.run();
            return Optional.empty();
        } catch (RuntimeException refused) {
            if (SqlCause.of(refused)
                    .filter(sql -> sql.getErrorCode() == MYSQL_DUPLICATE)
                    .isEmpty()) {
                throw refused;
            }
            return Optional.of(refused);
        }
    }

    // At REPEATABLE READ, MySQL's default, a snapshot may be older than the row; a look that locks is not.
    private Optional<Object> there(DSLContext dsl, Object key) {
        var look = dsl.select(table.id()).from(table.table()).where(has(key));
        var seen = look.fetchOptional(table.id());
        return seen.isEmpty() && isMysql(dsl) ? look.forShare().fetchOptional(table.id()) : seen;
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
        if (dsl.family() == SQLDialect.MYSQL
                && table.table().getIdentity() == null) { // jOOQ asks the driver for identities alone
            insert.execute();
            return table.id().getDataType().convert(dsl.lastID());
        }
        return insert.returningResult(table.id()).fetchSingle().value1();
    }

    /** Refuses ids that MySQL gives and does not tell. */
    void requireGeneratedId(DSLContext dsl) {
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

    /** The id that the application gives a row, if it does. */
    @Nullable
    Object givenId(Map<Field<?>, Object> row) {
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

    /** What came of an insert: the new row's id, or what refused it as a duplicate, where the database says so. */
    private record Attempt(@Nullable Object id, @Nullable RuntimeException refusal) {}

    private QueueException restless(Object key) {
        return new QueueException(
                "%s: a message of the dedup key \"%s\" could not be written, and none was found either; try again"
                        .formatted(queue, key));
    }
}
