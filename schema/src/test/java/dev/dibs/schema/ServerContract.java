package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.schema.jooq.tables.records.DibsMessageRecord;
import dev.dibs.table.QueueException;
import dev.dibs.testkit.TestDatabase;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.data.Offset;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** What holds for the databases that are servers: they have schemas, and sessions with a time zone. */
abstract class ServerContract extends SchemaContract {

    ServerContract(TestDatabase database) {
        super(database);
    }

    /** Statements that leave a session in no schema at all. */
    abstract String leaveSchema();

    /** A statement that gives a session a time zone. */
    abstract String inZone(String offset);

    @Test
    void aSchemaThatNeedsQuotesIsCreatedAndUsed_C35() throws Exception {
        var source = fresh();
        var tables = new ManagedTables("My-App.Gr\u00f6\u00dfe order " + System.nanoTime(), "Order_");
        try {
            assertThat(migrate(source, tables)).isNotEmpty();
            assertThat(migrate(source, tables)).isEmpty();

            insertInto(source, tables);
            assertThat(messages(source, tables)).isOne();
            assertThatThrownBy(() -> insertInto(source, new ManagedTables(null, "Order_")))
                    .isInstanceOf(RuntimeException.class);
        } finally {
            drop(source, tables);
        }
    }

    @Test
    void instancesThatStartTogetherCreateOneSchema_C21() throws Exception {
        var source = fresh();
        var tables = new ManagedTables("app" + System.nanoTime(), "dibs_");
        try {
            assertThat(together(() -> migrate(source, tables))).containsOnlyOnce(List.of(VERSION));
            insertInto(source, tables);
        } finally {
            drop(source, tables);
        }
    }

    @Test
    void aConnectionInNoSchemaIsRefused() throws Exception {
        var nowhere = TestConnections.after(leaveSchema(), fresh());

        assertThatThrownBy(() -> QueueSchema.migrate(nowhere))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "tables \"dibs_*\": the connection is in no schema that exists; name one in the JDBC URL or with schema(..)");
    }

    @Test
    void whatFlywayLacksForADatabaseIsNamed() throws Exception {
        var source = fresh();
        var server = server(source);

        assertThatThrownBy(() -> IsolatedSchema.migrateWithout(server.flywayArtifact(), source))
                .hasMessageStartingWith(
                        "tables \"dibs_*\": Flyway cannot work on %s; it needs org.flywaydb:%s on the class path and two connections at once: ",
                        server, server.flywayArtifact());
    }

    @Test
    void theSessionsZoneHasNoSay_C01() throws Exception {
        var source = fresh();
        QueueSchema.migrate(source);
        for (var zone : new String[] {"-11:00", "+00:00", "+13:00"}) {
            execute(
                    TestConnections.after(inZone(zone), source),
                    "insert into dibs_message (queue, payload) values ('zone " + zone + "', '{}')");
        }

        var now = micros(Instant.now());
        List<DibsMessageRecord> rows = dsl(source, on -> on.fetch(DIBS_MESSAGE));
        assertThat(rows)
                .hasSize(3)
                .allSatisfy(row -> assertThat(row.getDueAt()).isCloseTo(now, Offset.offset(10_000_000L)));
    }

    private static List<String> migrate(DataSource source, ManagedTables tables) {
        return QueueSchema.builder(source)
                .prefix(tables.prefix())
                .schema(tables.schema())
                .migrate();
    }

    private static void drop(DataSource source, ManagedTables tables) throws Exception {
        var schema = DSL.quotedName(tables.schema());
        dsl(
                source,
                on -> on.family() == SQLDialect.POSTGRES
                        ? on.dropSchemaIfExists(schema).cascade().execute()
                        : on.dropSchemaIfExists(schema).execute());
    }
}
