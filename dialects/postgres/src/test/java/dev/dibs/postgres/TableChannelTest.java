package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.quotedName;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.spi.TableChannel;
import dev.dibs.table.QueueException;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a table's channel is called, and the key of its sleepers. */
final class TableChannelTest {

    private HikariDataSource pool;
    private DSLContext dsl;

    @BeforeEach
    void open() {
        pool = TestDatabase.postgresql().newDatabase().pool(1);
        dsl = DSL.using(pool, SQLDialect.POSTGRES);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "public, jobs, dibs:public.jobs",
                "public, Größe \"of\" order's $$ {0}; drop table x --, dibs:public.Größe \"of\" order's $$ {0}; drop table x --",
                "My App, select, dibs:My App.select"
            })
    void aChannelIsTheTablesSchemaAndName_C07(String schema, String name, String channel) {
        assertThat(TableChannel.of(dsl, create(schema, name)).channel()).isEqualTo(channel);
    }

    /** C08: channels of 62 and 63 bytes, and what would be one of 64, or of twice as many characters. */
    @ParameterizedTest
    @CsvSource({"50, false", "51, false", "52, true", "63, true"})
    void c08AChannelThatTheServerWouldCutIsAHash(int length, boolean isHashed) {
        var channel = TableChannel.of(dsl, create("public", "x".repeat(length))).channel();

        assertThat(channel.startsWith("dibs:public.")).isEqualTo(!isHashed);
        assertThat(bytes(channel)).isLessThanOrEqualTo(63);
    }

    @Test
    void c08BytesAreCountedAndNotCharacters() {
        assertThat(TableChannel.of(dsl, create("public", "ä".repeat(25))).channel())
                .isEqualTo("dibs:public." + "ä".repeat(25));
        assertThat(TableChannel.of(dsl, create("public", "ä".repeat(26))).channel())
                .matches("dibs:[0-9a-f]{32}");
    }

    /** C08: channels that are equal in their first 63 bytes. */
    @Test
    void c08TwoLongNamesThatTheServerWouldCutToOneHaveTwoChannels() {
        var one = create("public", "x".repeat(62) + "1");
        var other = create("public", "x".repeat(62) + "2");

        assertThat(TableChannel.of(dsl, one).channel())
                .isNotEqualTo(TableChannel.of(dsl, other).channel());
    }

    @Test
    void noDotLeavesOpenWhereTheSchemaEnds() {
        var channels = new HashSet<String>();
        for (var name :
                new String[][] {{"a.b", "c"}, {"a", "b.c"}, {"a", "b"}, {"a.", "b"}, {"a", ".b"}, {"a..b", "c"}}) {
            channels.add(TableChannel.of(dsl, create(name[0], name[1])).channel());
        }

        assertThat(channels).hasSize(6);
    }

    @Test
    void theChannelIsTheSameWhateverTheSearchPathAndTheSpelling() {
        var jobs = create("app", "jobs");
        var channel = TableChannel.of(dsl, jobs);

        dsl.execute("set search_path = app, public");
        assertThat(TableChannel.of(dsl, DSL.table(quotedName("jobs")))).isEqualTo(channel);
        assertThat(TableChannel.of(dsl, DSL.table("JOBS"))).isEqualTo(channel);
        dsl.execute("set search_path = ''");
        assertThat(TableChannel.of(dsl, jobs)).isEqualTo(channel);
    }

    @Test
    void eachTableHasAKeyOfItsOwnForItsSleepersWhichItsNumberMakes() {
        var jobs = create("public", "jobs");
        var others = create("other", "jobs");
        var key = TableChannel.of(dsl, jobs).sleepLock();

        assertThat(key).isNotEqualTo(TableChannel.of(dsl, others).sleepLock());
        assertThat(key)
                .isEqualTo(dsl.select(DSL.field(
                                "x'64696273'::bigint << 32 | 'public.jobs'::regclass::oid::bigint", SQLDataType.BIGINT))
                        .fetchSingle()
                        .value1());
    }

    @Test
    void aTableThatNobodySwitchedAnnouncesNothing() {
        assertThat(TableChannel.of(dsl, create("public", "jobs")).announcement())
                .isEqualTo(Announcement.OFF);
    }

    @Test
    void aTableThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> TableChannel.of(dsl, DSL.table(quotedName("app", "Jobs"))))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "table \"app\".\"Jobs\": there is none of this name where the connection looks; create it first, or name it with its schema and in its own capitals");
    }

    private Table<?> create(String schema, String name) {
        var table = DSL.table(quotedName(schema, name));
        dsl.createSchemaIfNotExists(quotedName(schema)).execute();
        dsl.createTable(table).column("id", SQLDataType.BIGINT).execute();
        return table;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
