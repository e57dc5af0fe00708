package dev.dibs.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.table.QueueException;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import java.util.List;
import org.jooq.SQLDialect;
import org.junit.jupiter.api.Test;

final class SqliteSchemaTest extends SchemaContract {

    SqliteSchemaTest() {
        super(TestDatabase.sqlite());
    }

    @Test
    void aSchemaIsRefused() {
        assertThatThrownBy(() -> QueueSchema.builder(fresh()).schema("app").migrate())
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "tables \"dibs_*\" in schema \"app\": SQLite has no schemas; leave the setting out, the tables are made in the file that is opened");
    }

    @Test
    void withoutFlywayTheMessageSaysWhatToAdd() {
        assertThatThrownBy(() -> IsolatedSchema.migrateWithout("flyway-", fresh()))
                .hasMessage(
                        "tables \"dibs_*\": migrating needs Flyway; add org.flywaydb:flyway-core, or run the scripts of dev/dibs/schema/sqlite by hand (docs/schema.md)");
    }

    @Test
    void anInstanceWhoseConnectionsFindTheFileLockedAtFirstComesUp_C21() {
        var source = fresh();

        assertThat(QueueSchema.migrate(TestConnections.lockedAtFirst(source))).containsExactly(VERSION);
    }

    @Test
    void instancesThatStartTogetherInMemoryAllComeUp_C21() throws Exception {
        var memory = TestConnections.to(
                new Address("jdbc:sqlite:file:together?mode=memory&cache=shared", "", "", SQLDialect.SQLITE));
        try (var keepsItAlive = memory.getConnection()) {
            assertThat(together(() -> QueueSchema.migrate(memory))).containsOnlyOnce(List.of(VERSION));
            assertThat(keepsItAlive.isValid(1)).isTrue();
        }
    }
}
