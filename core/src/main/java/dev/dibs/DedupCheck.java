package dev.dibs;

import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.when;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Named;
import org.jooq.Table;
import org.jooq.conf.ParamType;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Looks whether a table has the unique index without which a dedup key would hold nobody back. */
record DedupCheck(QueueRef queue) {

    private static final Name STATISTICS = name("information_schema", "statistics");

    /** The same for a worker, whose user may be one that must not insert: then the first enqueue is to tell. */
    boolean atStart(DSLContext dsl) {
        try {
            return run(dsl);
        } catch (DataAccessException unanswered) {
            return false;
        }
    }

    /** Refuses a table that has not, with the statement that makes the index; answers true otherwise. */
    boolean run(DSLContext dsl) {
        switch (dsl.family()) {
            case MYSQL, MARIADB -> lookUp(dsl);
            default -> plan(dsl);
        }
        return true;
    }

    // PostgreSQL and SQLite find the index when they plan the insert.
    private void plan(DSLContext dsl) {
        var key = queue.table().column(Part.DEDUP_KEY);
        try {
            dsl.explain(dsl.insertInto(queue.from(), key)
                    .values(castNull(key))
                    .onConflict(indexed())
                    .where(key.isNotNull())
                    .doNothing());
        } catch (DataAccessException refused) {
            if (String.valueOf(refused.getMessage()).contains("ON CONFLICT")) {
                throw missing(dsl, refused);
            }
            throw refused;
        }
    }

    // MySQL and MariaDB would insert without a word.
    private void lookUp(DSLContext dsl) {
        var names = indexed().stream().map(Named::getName).toList();
        var whole = field(name("column_name"), String.class)
                .in(names)
                .and(field(name("sub_part")).isNull());
        var indexes = dsl.fetchCount(dsl.select(field(name("index_name")))
                .from(table(STATISTICS))
                .where(isTable(dsl))
                .and(field(name("non_unique"), SQLDataType.INTEGER).eq(inline(0)))
                .groupBy(field(name("index_name")))
                .having(count().eq(inline(names.size())))
                .and(sum(when(whole, inline(1)).otherwise(inline(0))).eq(BigDecimal.valueOf(names.size()))));
        if (indexes == 0) {
            throw missing(dsl, null);
        }
    }

    private Condition isTable(DSLContext dsl) {
        var mapped = mapped(dsl);
        var schema = Optional.ofNullable(mapped.getQualifiedName().qualifier())
                .map(Name::last)
                .filter(last -> !last.isEmpty());
        Field<String> database =
                schema.<Field<String>>map(DSL::val).orElseGet(() -> DSL.function("database", SQLDataType.VARCHAR));
        return field(name("table_schema"), String.class)
                .eq(database)
                .and(field(name("table_name"), String.class).eq(mapped.getName()));
    }

    // Its name in this database, which jOOQ's settings may have changed.
    private Table<?> mapped(DSLContext dsl) {
        Table<?> mapped = dsl.map(queue.from());
        return mapped == null ? queue.from() : mapped;
    }

    private QueueException missing(DSLContext dsl, @Nullable DataAccessException cause) {
        return new QueueException(
                "%s: no unique index of exactly the columns %s holds a dedup key back; create it: %s"
                        .formatted(queue, indexed().stream().map(Named::getName).toList(), remedy(dsl)),
                cause);
    }

    private String remedy(DSLContext dsl) {
        var key = queue.table().column(Part.DEDUP_KEY);
        var index = name(queue.from().getName() + "_dedup");
        var whole = dsl.createUniqueIndex(index).on(queue.from(), indexed());
        return switch (dsl.family()) {
            case MYSQL, MARIADB -> whole.getSQL(ParamType.INLINED);
            default -> whole.where(key.isNotNull()).getSQL(ParamType.INLINED);
        };
    }

    private List<Field<Object>> indexed() {
        return new Inserts(queue).indexed();
    }
}
