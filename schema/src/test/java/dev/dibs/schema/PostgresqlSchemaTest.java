package dev.dibs.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.testkit.TestDatabase;
import org.jooq.Record;
import org.junit.jupiter.api.Test;

final class PostgresqlSchemaTest extends ServerContract {

    PostgresqlSchemaTest() {
        super(TestDatabase.postgresql());
    }

    @Override
    String leaveSchema() {
        return "set search_path = nowhere";
    }

    @Override
    String inZone(String offset) {
        return "set time zone interval '" + offset + "' hour to minute";
    }

    @Test
    void aForeignWriterNeedsUsageAndInsertOnly() throws Exception {
        var source = fresh();
        QueueSchema.migrate(source);
        var writer = "writer" + System.nanoTime();
        execute(
                source,
                "create role " + writer + "; grant usage on schema public to " + writer
                        + "; grant insert on dibs_message to " + writer);
        try {
            var asWriter = TestConnections.after("set role " + writer, source);
            execute(asWriter, "insert into dibs_message (queue, payload) values ('emails', '{}')");

            assertThatThrownBy(() -> execute(asWriter, "select * from dibs_message"))
                    .hasMessageContaining("permission denied");
        } finally {
            execute(source, "drop owned by " + writer + "; drop role " + writer);
        }
    }

    @Test
    void aClaimOfAWholePageTouchesNoIndex() throws Exception {
        var source = fresh();
        QueueSchema.migrate(source);
        execute(
                source,
                "insert into dibs_message (queue, payload) select 'emails', repeat('x', 100) from generate_series(1, 5000)");
        execute(source, "update dibs_message set leased_until = 1, lease_token = 2, attempt = 1");

        Record hot = dsl(source, on -> {
            on.execute("select pg_stat_force_next_flush()");
            return on.fetchSingle(
                    "select n_tup_hot_upd, n_tup_upd from pg_stat_user_tables where relname = 'dibs_message'");
        });
        assertThat(hot.get(0, Long.class)).isEqualTo(hot.get(1, Long.class)).isEqualTo(5_000);
    }
}
