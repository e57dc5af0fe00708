package dev.dibs.postgres;

import static org.jooq.impl.DSL.currentCatalog;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.CustomField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The numbers by which PostgreSQL's own views name a table and the database. */
final class Catalog {

    private Catalog() {}

    // jOOQ has no regclass, which finds the table as the statement around it does.
    static Field<Long> number(Table<?> table) {
        return CustomField.of(
                "number",
                SQLDataType.BIGINT,
                context -> context.visit(DSL.field(
                        "{0}::regclass::oid::bigint",
                        SQLDataType.BIGINT, inline(context.dsl().render(table)))));
    }

    static Field<Long> database() {
        var databases = name("pg_database");
        return field(select(field(databases.append("oid"), SQLDataType.BIGINT))
                .from(table(databases))
                .where(field(databases.append("datname"), SQLDataType.VARCHAR).eq(currentCatalog())));
    }
}
