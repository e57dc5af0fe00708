import org.jspecify.annotations.NullMarked;

/** The managed tables of Dibs and the migrations that create them. */
@NullMarked
@SuppressWarnings({"opens", "requires-automatic"}) // folders of scripts hold no class; Flyway has no module-info
module dev.dibs.schema {
    requires transitive dev.dibs;
    requires transitive java.sql;
    requires transitive org.jspecify;
    requires org.jooq;
    requires org.slf4j;
    requires java.compiler; // the annotation on the generated classes
    requires static flyway.core;

    exports dev.dibs.schema;
    exports dev.dibs.schema.jooq.tables.records to
            org.jooq;

    opens dev.dibs.schema.postgresql;
    opens dev.dibs.schema.mysql;
    opens dev.dibs.schema.mariadb;
    opens dev.dibs.schema.sqlite;
}
