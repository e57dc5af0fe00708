package dev.dibs.schema;

import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.quotedName;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import dev.dibs.spi.TableChannel;
import dev.dibs.table.QueueException;
import dev.dibs.wake.Announcement;
import java.util.Map;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * A table of PostgreSQL, and what is there to announce its inserts.
 *
 * @param qualified its schema and its name
 * @param channel where they are announced
 * @param announcement what the trigger does
 * @param hasTrigger one that works or not
 * @param hasFunction the one that this version of Dibs makes
 */
record SeenTable(Name qualified, String channel, Announcement announcement, boolean hasTrigger, boolean hasFunction) {

    /** Plain ones, and the parents of partitions. */
    private static final Set<String> TABLES = Set.of("r", "p");

    private static final Map<String, String> OTHERS =
            Map.of("v", "a view", "m", "a materialized view", "f", "a foreign table");

    private static final String TEMPORARY = "t";

    private static final Name CLASS = name("pg_class");
    private static final Name NAMESPACE = name("pg_namespace");
    private static final Name TRIGGERS = name("pg_trigger");
    private static final Name FUNCTIONS = name("pg_proc");

    private static final Field<Long> NUMBER = number(CLASS.append("oid"));
    private static final Field<Long> SCHEMA_NUMBER = number(CLASS.append("relnamespace"));

    /**
     * Looks at the table that a statement on this connection would write to.
     *
     * @throws QueueException if there is none, or if it cannot announce
     */
    static SeenTable of(DSLContext dsl, Table<?> table) {
        var told = TableChannel.of(dsl, table);
        return dsl.select(
                        text(NAMESPACE.append("nspname")),
                        text(CLASS.append("relname")),
                        text(CLASS.append("relkind")),
                        text(CLASS.append("relpersistence")),
                        DSL.field(hasAnyTrigger()),
                        DSL.field(hasThisFunction()))
                .from(table(CLASS))
                .join(table(NAMESPACE))
                .on(number(NAMESPACE.append("oid")).eq(SCHEMA_NUMBER))
                .where(NUMBER.eq(function("to_regclass", SQLDataType.BIGINT, val(dsl.render(table)))))
                .fetchSingle(row -> {
                    requireTable(table, row.value3(), row.value4());
                    return new SeenTable(
                            quotedName(row.value1(), row.value2()),
                            told.channel(),
                            told.announcement(),
                            row.value5(),
                            row.value6());
                });
    }

    /** The function that the trigger calls. */
    Name functionName() {
        return quotedName(qualified.first(), TableChannel.TRIGGER);
    }

    boolean isAsWanted(Announcement wanted) {
        return hasFunctionFor(wanted) && hasTriggerFor(wanted);
    }

    boolean hasFunctionFor(Announcement wanted) {
        return wanted == Announcement.OFF || hasFunction;
    }

    boolean hasTriggerFor(Announcement wanted) {
        return wanted == announcement && hasTrigger == (wanted != Announcement.OFF);
    }

    private static Condition hasAnyTrigger() {
        return exists(selectOne()
                .from(table(TRIGGERS))
                .where(number(TRIGGERS.append("tgrelid")).eq(NUMBER))
                .and(text(TRIGGERS.append("tgname")).eq(inline(TableChannel.TRIGGER))));
    }

    private static Condition hasThisFunction() {
        return exists(selectOne()
                .from(table(FUNCTIONS))
                .where(number(FUNCTIONS.append("pronamespace")).eq(SCHEMA_NUMBER))
                .and(text(FUNCTIONS.append("proname")).eq(inline(TableChannel.TRIGGER)))
                .and(text(FUNCTIONS.append("prosrc")).eq(inline(AnnouncingTable.FUNCTION_BODY))));
    }

    private static void requireTable(Table<?> table, String kind, String persistence) {
        if (!TABLES.contains(kind)) {
            throw new QueueException(
                    "table %s: it is %s, into which no row is written; let the tables announce in which its rows are"
                            .formatted(table, OTHERS.getOrDefault(kind, "no table")));
        }
        if (TEMPORARY.equals(persistence)) {
            throw new QueueException(
                    "table %s: it is a temporary table, whose rows nobody else sees; let a lasting one announce"
                            .formatted(table));
        }
    }

    private static Field<Long> number(Name column) {
        return field(column, SQLDataType.BIGINT);
    }

    private static Field<String> text(Name column) {
        return field(column, SQLDataType.VARCHAR);
    }
}
