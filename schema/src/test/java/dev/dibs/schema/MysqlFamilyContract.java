package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.currentSchema;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.dibs.schema.jooq.tables.records.DibsMessageRecord;
import dev.dibs.testkit.TestDatabase;
import java.util.List;
import java.util.Locale;
import org.jooq.Record2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What MySQL and MariaDB have in common. */
abstract class MysqlFamilyContract extends ServerContract {

    MysqlFamilyContract(TestDatabase database) {
        super(database);
    }

    @Override
    String leaveSchema() {
        return "create database dibs_nowhere; use dibs_nowhere; drop database dibs_nowhere";
    }

    @Override
    String inZone(String offset) {
        return "set time_zone = '" + offset + "'";
    }

    // The hour from 2026-10-25 00:00 UTC is read twice on a clock in Berlin.
    @ParameterizedTest
    @CsvSource({
        "1792886399.000001, 1792886399000001",
        "1792890000.25, 1792890000250000",
        "1792893600.999999, 1792893600999999"
    })
    void aChangeOfClocksHasNoSay_C01(String seconds, long micros) throws Exception {
        var source = fresh();
        QueueSchema.migrate(source);
        for (var zone : new String[] {"+01:00", "+02:00"}) {
            execute(
                    TestConnections.after(inZone(zone) + "; set timestamp = " + seconds, source),
                    "insert into dibs_message (queue, payload) values ('emails', '{}')");
        }

        List<DibsMessageRecord> rows = dsl(source, on -> on.fetch(DIBS_MESSAGE));
        assertThat(rows).hasSize(2).allSatisfy(row -> assertThat(row.getDueAt()).isEqualTo(micros));
    }

    @Test
    void noColumnSetsItself_C34() throws Exception {
        var source = TestConnections.after("set sql_mode = ''", fresh());
        QueueSchema.migrate(source);

        List<Record2<String, String>> columns = dsl(
                source,
                on -> on.select(field(name("extra"), String.class), field(name("column_type"), String.class))
                        .from(table(name("information_schema", "columns")))
                        .where(field(name("table_schema"), String.class).eq(currentSchema()))
                        .and(field(name("table_name"), String.class).ne("dibs_schema_history"))
                        .fetch());
        assertThat(columns).hasSizeGreaterThan(30).allSatisfy(column -> {
            assertThat(column.value1().toLowerCase(Locale.ROOT)).doesNotContain("on update");
            assertThat(column.value2()).doesNotContainIgnoringCase("timestamp");
        });
    }
}
