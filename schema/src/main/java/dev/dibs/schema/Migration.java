package dev.dibs.schema;

import static org.jooq.impl.DSL.currentSchema;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.dibs.table.QueueException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** One call of {@link QueueSchema}: what is there is looked at, refused or brought up to date. */
final class Migration {

    private final DataSource dataSource;
    private final ManagedTables tables;

    Migration(DataSource dataSource, ManagedTables tables) {
        this.dataSource = dataSource;
        this.tables = tables;
    }

    List<String> run() throws SQLException {
        var server = on(dataSource, Server::of);
        if (server != Server.SQLITE) {
            return run(dataSource, server);
        }
        if (tables.schema() != null) {
            throw new QueueException(
                    "%s: SQLite has no schemas; leave the setting out, the tables are made in the file that is opened"
                            .formatted(tables));
        }
        return on(dataSource, connection -> SqliteTransaction.on(connection, inside -> run(inside, server)));
    }

    private List<String> run(DataSource source, Server server) throws SQLException {
        var schema = on(source, connection -> schemaOf(DSL.using(connection, server.dialect()), server));
        return flyway(source, server, schema).run();
    }

    private String schemaOf(DSLContext dsl, Server server) {
        var schema = tables.schema() == null ? current(dsl, server) : tables.schema();
        refuseTablesOfAnotherOrigin(dsl, server, schema);
        return schema;
    }

    private String current(DSLContext dsl, Server server) {
        if (server == Server.SQLITE) {
            return "main";
        }
        var current = dsl.select(currentSchema()).fetchSingle().value1();
        if (current == null) {
            throw new QueueException(
                    "%s: the connection is in no schema that exists; name one in the JDBC URL or with schema(..)"
                            .formatted(tables));
        }
        return current;
    }

    // The history is made before the first table, so it is looked for second: no other instance gets in between.
    private void refuseTablesOfAnotherOrigin(DSLContext dsl, Server server, String schema) {
        var message = tables.prefix() + "message";
        if (exists(dsl, server, schema, message) && !exists(dsl, server, schema, tables.history())) {
            throw new QueueException(
                    "%s: \"%s\" is there but \"%s\" is not, so QueueSchema did not make it; keep to what did (the application's own Flyway, or somebody by hand), or choose another prefix"
                            .formatted(tables, message, tables.history()));
        }
    }

    private static boolean exists(DSLContext dsl, Server server, String schema, String table) {
        if (server == Server.SQLITE) {
            return dsl.fetchExists(table(name("sqlite_master")), text("name").equalIgnoreCase(table));
        }
        return dsl.fetchExists(
                table(name("information_schema", "tables")),
                text("table_schema").eq(schema).and(text("table_name").eq(table)));
    }

    private static Field<String> text(String column) {
        return field(name(column), SQLDataType.VARCHAR);
    }

    private FlywayMigration flyway(DataSource source, Server server, String schema) {
        try {
            return new FlywayMigration(source, server, schema, tables);
        } catch (NoClassDefFoundError missing) {
            throw new QueueException(
                    "%s: migrating needs Flyway; add org.flywaydb:%s, or run the scripts of %s by hand (docs/schema.md)"
                            .formatted(tables, server.flywayArtifact(), server.scripts()),
                    missing);
        }
    }

    /** One connection, in auto-commit mode whatever the pool's setting, and given back as it came. */
    static <R> R on(DataSource source, SqlFunction<Connection, R> work) throws SQLException {
        // A driver may change the file's journal mode then, and does not wait for others who do.
        try (var connection = SqliteTransaction.persistently(source, DataSource::getConnection)) {
            var autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                return work.apply(connection);
            } finally {
                if (!autoCommit) {
                    connection.setAutoCommit(false);
                }
            }
        }
    }
}
