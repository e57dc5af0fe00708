package dev.dibs.postgres;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.Part;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.impl.SQLDataType;

/** The transactions that write a queue's table, as the server's list of locks tells of them. */
record TableWriters(QueueRef queue) {

    private static final Name LOCKS = name("pg_locks");
    private static final Name CLASS = name("pg_class");
    private static final Name ATTRIBUTE = name("pg_attribute");
    private static final Name DEFAULT = name("pg_attrdef");

    private static final Field<Long> NUMBER = field(CLASS.append("oid"), SQLDataType.BIGINT);

    /** Of what no jOOQ type says: a time without a precision of its own, or of a bigint. */
    private static final int WHOLE = -1;

    private static final int MICROSECONDS = 6;

    /**
     * The transactions that hold a writer's lock now.
     *
     * <p>Each mode that a transaction holds is listed by itself, so one that took a stronger lock before it wrote is here
     * too; so are those whose lock is a fast one of their session alone, and prepared ones.
     */
    Set<String> now(DSLContext dsl) {
        return dsl.select(lock("virtualtransaction", String.class))
                .from(table(LOCKS))
                .where(lock("locktype", String.class).eq(inline("relation")))
                .and(lock("database", Long.class).eq(Catalog.database()))
                .and(lock("relation", Long.class).eq(Catalog.number(queue.from())))
                .and(lock("mode", String.class).eq(inline("RowExclusiveLock")))
                .and(lock("granted", Boolean.class).isTrue())
                .fetchSet(0, String.class);
    }

    /**
     * Whether that list tells of all writers.
     *
     * <p>Rows of a partition, of a table with children and of a view may be written under the lock of another table, and
     * those of a temporary one are not here at all.
     */
    boolean areTold(DSLContext dsl) {
        return dsl.fetchExists(dsl.selectOne().from(table(CLASS)).where(isTold()));
    }

    /** Whether besides nothing says that due times are older than locks: defaults such as now() are the beginning of the transaction. */
    boolean areToldAsTheyWrite(DSLContext dsl) {
        var isOfTheColumn = field(DEFAULT.append("adrelid"), SQLDataType.BIGINT)
                .eq(NUMBER)
                .and(field(DEFAULT.append("adnum")).eq(field(ATTRIBUTE.append("attnum"))));
        var due = queue.table().column(Part.DUE_AT);
        return dsl.fetchExists(dsl.selectOne()
                .from(table(CLASS))
                .join(table(ATTRIBUTE))
                .on(field(ATTRIBUTE.append("attrelid"), SQLDataType.BIGINT).eq(NUMBER))
                .leftJoin(table(DEFAULT))
                .on(isOfTheColumn)
                .where(isTold())
                .and(field(ATTRIBUTE.append("attname"), String.class).eq(due.getName()))
                .and(field(ATTRIBUTE.append("atttypmod"), Integer.class).in(inline(WHOLE), inline(MICROSECONDS)))
                .and(isReadWhileWriting()));
    }

    private Condition isTold() {
        return NUMBER.eq(Catalog.number(queue.from()))
                .and(field(CLASS.append("relkind"), String.class).eq(inline("r")))
                .and(field(CLASS.append("relpersistence"), String.class).ne(inline("t")))
                .and(field(CLASS.append("relhassubclass"), Boolean.class).isFalse())
                .and(field(CLASS.append("relispartition"), Boolean.class).isFalse());
    }

    private static Condition isReadWhileWriting() {
        var expression = field(DEFAULT.append("adbin"), Object.class);
        return expression
                .isNull()
                .or(function(
                                "pg_get_expr",
                                SQLDataType.VARCHAR,
                                expression,
                                field(DEFAULT.append("adrelid"), Object.class))
                        .like(inline("%clock_timestamp()%")));
    }

    private static <T> Field<T> lock(String column, Class<T> type) {
        return field(LOCKS.append(column), type);
    }
}
