package dev.dibs;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * The statements that write the rows of a group, and know which id each of them got.
 *
 * <p>An insert of many rows returns their ids in no order that SQL promises. So on PostgreSQL each row has an insert of
 * its own within one statement,. MySQL gives the rows that an insert lists consecutive numbers, in every
 * lock mode, and tells the first. MariaDB's numbers ascend from row to row, and come in that order; if ever they do not,
 * they are taken back. SQLite has no round trips to save.
 */
record GroupInserts(Inserts inserts, QueueRef queue) {

    /** Writes rows without dedup keys; what is told of them is in their order. */
    List<Enqueued> all(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        return ids(dsl, rows).stream().map(id -> new Enqueued(id, true)).toList();
    }

    private List<Object> ids(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        var given = rows.stream()
                .map(inserts::givenId)
                .filter(Objects::nonNull)
                .<Object>map(id -> id)
                .toList();
        if (given.size() == rows.size()) {
            inserts.values(dsl, rows).execute();
            return given;
        }
        if (!given.isEmpty()) {
            return oneByOne(dsl, rows);
        }
        return switch (dsl.family()) {
            case POSTGRES -> numbered(dsl, rows);
            case MYSQL -> consecutive(dsl, rows);
            case MARIADB -> ascending(dsl, rows);
            default -> oneByOne(dsl, rows);
        };
    }

    private List<Object> oneByOne(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        return rows.stream().map(row -> inserts.one(dsl, row).id()).toList();
    }

    private List<Object> numbered(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        var writes = IntStream.range(0, rows.size())
                .<CommonTableExpression<?>>mapToObj(number -> write(number, rows.get(number)))
                .toList();
        var ids = writes.stream().map(this::idOf).toList();
        return Arrays.asList(dsl.with(writes).select(ids).fetchSingle().intoArray());
    }

    private CommonTableExpression<?> write(int number, Map<Field<?>, Object> row) {
        var write = insertInto(table().table()).set(row).returningResult(table().id());
        return name("row_%d".formatted(number)).as(write);
    }

    private Field<Object> idOf(CommonTableExpression<?> write) {
        return field(select(field(name(table().id().getName()), table().id().getDataType()))
                .from(write));
    }

    private List<Object> consecutive(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        inserts.requireGeneratedId(dsl);
        inserts.values(dsl, rows).execute();
        var first = function("last_insert_id", SQLDataType.BIGINT);
        var step = field("@@auto_increment_increment", SQLDataType.BIGINT); // jOOQ knows no variables of a session
        var given = dsl.select(first, step).fetchSingle();
        return LongStream.range(0, rows.size())
                .mapToObj(row -> table().id().getDataType().convert(given.value1() + row * given.value2()))
                .toList();
    }

    private List<Object> ascending(DSLContext dsl, List<Map<Field<?>, Object>> rows) {
        if (!Number.class.isAssignableFrom(table().id().getType())) {
            return oneByOne(dsl, rows);
        }
        var ids = inserts.values(dsl, rows).returningResult(table().id()).fetch(table().id());
        var numbers =
                ids.stream().map(id -> (Number) id).mapToLong(Number::longValue).toArray();
        if (!IntStream.range(1, numbers.length).allMatch(row -> numbers[row - 1] < numbers[row])) {
            throw new QueueException("%s: the ids %s do not ascend; give the ids with ids(..)".formatted(queue, ids));
        }
        return ids;
    }

    private QueueTable<?> table() {
        return queue.table();
    }
}
