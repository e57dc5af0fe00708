package dev.dibs.schema;

import static dev.dibs.schema.SchemaContract.dsl;
import static dev.dibs.schema.SchemaContract.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.quotedName;
import static org.jooq.impl.DSL.table;

import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import java.io.StringReader;
import java.sql.Connection;
import java.util.Collections;
import javax.sql.DataSource;
import org.jooq.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Which inserts are announced, of tables that are written with plain SQL. */
@Timeout(120)
final class AnnouncementTest {

    private static final Table<?> JOBS = table(quotedName("public", "jobs"));
    private static final String CHANNEL = "dibs:public.jobs";
    private static final String INSERT = "insert into jobs (body) values ('a job')";

    private Address address;
    private DataSource source;
    private Ear ear;

    @BeforeEach
    void open() throws Exception {
        address = TestDatabase.postgresql().newDatabase();
        source = TestConnections.to(address);
        execute(source, "create table jobs (id bigint generated always as identity primary key, body text)");
        ear = Ear.at(source, JOBS);
    }

    @AfterEach
    void close() throws Exception {
        ear.close();
    }

    @Test
    void onDemandAnInsertWakesWhoeverSleeps() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        ear.sleep(JOBS);

        execute(source, INSERT);

        assertThat(ear.heard()).containsExactly(CHANNEL);
    }

    @Test
    void onDemandAnInsertSendsNothingWhileNobodySleeps() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        execute(source, INSERT);
        ear.sleep(JOBS);
        ear.wake(JOBS);

        execute(source, INSERT);

        assertThat(ear.heard()).isEmpty();
    }

    @Test
    void oneSleeperOfSeveralIsEnough() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        try (var other = Ear.at(source, JOBS)) {
            ear.sleep(JOBS);
            other.sleep(JOBS);
            other.wake(JOBS);

            execute(source, INSERT);

            assertThat(other.heard()).containsExactly(CHANNEL);
        }
        assertThat(ear.heard()).contains(CHANNEL);
    }

    @Test
    void whoAlwaysAnnouncesDoesSoWithoutSleepers() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);

        execute(source, INSERT);

        assertThat(ear.heard()).containsExactly(CHANNEL);
    }

    @Test
    void offSendsNothing() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);
        QueueSchema.announce(source, JOBS, Announcement.OFF);
        ear.sleep(JOBS);

        execute(source, INSERT);

        assertThat(ear.heard()).isEmpty();
    }

    /** C10: as many notifications as transactions, not as rows. */
    @ParameterizedTest
    @EnumSource(names = {"ON_DEMAND", "ALWAYS"})
    void c10AnInsertOfTenThousandRowsIsAnnouncedOnce(Announcement announcement) throws Exception {
        QueueSchema.announce(source, JOBS, announcement);
        ear.sleep(JOBS);

        execute(source, "insert into jobs (body) select repeat('x', 100) from generate_series(1, 10000)");

        assertThat(ear.heard()).containsExactly(CHANNEL);
    }

    @Test
    void c10ATransactionOfAThousandInsertsIsAnnouncedOnce() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        ear.sleep(JOBS);

        execute(source, "do 'begin for i in 1..1000 loop insert into jobs (body) values (i); end loop; end'");

        assertThat(ear.heard()).containsExactly(CHANNEL);
    }

    /** C08: whatever is in a row, its insert does not fail. */
    @Test
    void c08HugeRowsAreAnnouncedAndNotSent() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);

        execute(source, "insert into jobs (body) select repeat('x', 10000) from generate_series(1, 1000)");

        assertThat(ear.heard()).containsExactly(CHANNEL);
    }

    @Test
    void rowsThatAreCopiedAreAnnounced() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        ear.sleep(JOBS);

        try (var connection = source.getConnection()) {
            var rows = String.join("\n", Collections.nCopies(1_000, "a job"));
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("copy jobs (body) from stdin", new StringReader(rows));
        }

        assertThat(ear.heard()).containsExactly(CHANNEL);
    }

    @Test
    void anInsertOfNoRowsFailsNobody() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        ear.sleep(JOBS);

        execute(source, "insert into jobs (body) select 'none' where false");

        assertThat(ear.heard()).containsExactly(CHANNEL);
    }

    @Test
    void nothingIsSentBeforeTheCommit() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        ear.sleep(JOBS);

        try (var connection = begun()) {
            run(connection, INSERT);
            assertThat(ear.heard()).isEmpty();

            connection.commit();
            assertThat(ear.heard()).containsExactly(CHANNEL);
        }
    }

    @Test
    void anInsertThatIsRolledBackSendsNothing() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);

        try (var connection = begun()) {
            run(connection, INSERT);
            connection.rollback();
        }

        assertThat(ear.heard()).isEmpty();
    }

    @Test
    void anInsertAfterASavepointSendsNothingWhereThatIsRolledBack() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        ear.sleep(JOBS);

        try (var connection = begun()) {
            var before = connection.setSavepoint();
            run(connection, INSERT);
            connection.rollback(before);
            connection.commit();
        }

        assertThat(ear.heard()).isEmpty();
    }

    @Test
    void anInsertBeforeASavepointIsAnnouncedWhereThatIsRolledBack() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        ear.sleep(JOBS);

        try (var connection = begun()) {
            run(connection, INSERT);
            var before = connection.setSavepoint();
            run(connection, INSERT);
            connection.rollback(before);
            connection.commit();
        }

        assertThat(ear.heard()).containsExactly(CHANNEL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void insertsAreAnnouncedAtEveryIsolation(String isolation) throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);

        try (var connection = begun()) {
            run(connection, "set transaction isolation level " + isolation);
            run(connection, "select count(*) from jobs");
            ear.sleep(JOBS);
            run(connection, INSERT);
            connection.commit();
        }

        assertThat(ear.heard()).containsExactly(CHANNEL);
    }

    @Test
    void tablesOfOneNameInTwoSchemasDoNotHearEachOther() throws Exception {
        var others = table(quotedName("other", "jobs"));
        execute(source, "create schema other; create table other.jobs (like jobs including all)");
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        QueueSchema.announce(source, others, Announcement.ON_DEMAND);

        try (var otherEar = Ear.at(source, others)) {
            ear.sleep(JOBS);
            execute(source, "insert into other.jobs (body) values ('a job')");
            assertThat(otherEar.heard()).isEmpty();

            otherEar.sleep(others);
            execute(source, "insert into other.jobs (body) values ('a job')");
            assertThat(otherEar.heard()).containsExactly("dibs:other.jobs");
        }
        assertThat(ear.heard()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "public, Order-Jobs 1%",
                "My-App.Größe, select",
                "it's, a \"quoted\\\" $$ {0} ? :name; drop table jobs --",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
            })
    void anyNameIsAnnounced_C07_C08(String schema, String name) throws Exception {
        var named = table(quotedName(schema, name));
        dsl(source, on -> on.createSchemaIfNotExists(quotedName(schema)).execute());
        dsl(source, on -> on.execute("create table {0} (like jobs including all)", named));
        QueueSchema.announce(source, named, Announcement.ON_DEMAND);
        assertThat(QueueSchema.announcement(source, named)).isEqualTo(Announcement.ON_DEMAND);

        try (var listening = Ear.at(source, named)) {
            listening.sleep(named);
            dsl(source, on -> on.execute("insert into {0} (body) values ('a job')", named));

            assertThat(listening.heard())
                    .containsExactly(listening.channel(named).channel());
        }
    }

    @Test
    void rowsInsertedThroughAPartitionedTableAreAnnounced() throws Exception {
        var events = table(quotedName("events"));
        execute(source, "create table events (id bigint, body text) partition by range (id)");
        execute(source, "create table events_low partition of events for values from (0) to (10)");
        execute(source, "create table events_high partition of events for values from (10) to (100)");
        QueueSchema.announce(source, events, Announcement.ON_DEMAND);

        try (var listening = Ear.at(source, events)) {
            listening.sleep(events);
            execute(source, "insert into events select n from generate_series(1, 99) n");
            assertThat(listening.heard()).containsExactly("dibs:public.events");

            execute(source, "insert into events_low values (1)");
            assertThat(listening.heard()).as("a partition's own inserts").isEmpty();
        }
    }

    /** Objects of the same names stand before those that are meant, and fail whoever uses them. */
    @Test
    void theWritersSearchPathHasNoSay() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        execute(source, "create schema evil");
        for (var function : new String[] {
            "pg_notify(text, text) returns void",
            "pg_try_advisory_lock(bigint) returns boolean",
            "pg_advisory_unlock(bigint) returns boolean",
            "plus(bigint, bigint) returns bigint",
        }) {
            execute(
                    source,
                    "create function evil.%s language plpgsql as 'begin raise exception ''not meant''; end'"
                            .formatted(function));
        }
        execute(source, "create operator evil.+ (function = evil.plus, leftarg = bigint, rightarg = bigint)");
        ear.sleep(JOBS);

        for (var path : new String[] {"evil, pg_catalog, public", "''", "pg_temp, evil, pg_catalog"}) {
            execute(
                    TestConnections.after("set search_path = " + path, source),
                    "insert into public.jobs (body) values ('a job')");
            assertThat(ear.heard()).as(path).containsExactly(CHANNEL);
        }
    }

    @Test
    void whoMayInsertNeedsNoOtherRight() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        var writer = "writer" + System.nanoTime();
        execute(
                source,
                "create role " + writer + "; grant usage on schema public to " + writer + "; grant insert on jobs to "
                        + writer + "; revoke all on function dibs_announce() from public");
        try {
            ear.sleep(JOBS);

            execute(TestConnections.after("set role " + writer, source), INSERT);

            assertThat(ear.heard()).containsExactly(CHANNEL);
        } finally {
            execute(source, "drop owned by " + writer + "; drop role " + writer);
        }
    }

    @Test
    void aSessionOfAPoolKeepsNoLockAfterItsInsert() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        try (var pool = address.pool(1)) {
            execute(pool, INSERT);
            ear.sleep(JOBS);
            execute(pool, INSERT);
            ear.wake(JOBS);

            assertThat(AdvisoryLocks.held(source)).isZero();
        }
    }

    @Test
    void aSleeperThatIsKilledIsNoneAnyMore() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        try (var sleeper = Ear.at(source, JOBS)) {
            sleeper.sleep(JOBS);
            execute(source, INSERT);
            assertThat(ear.heard()).containsExactly(CHANNEL);

            execute(source, "select pg_terminate_backend(%d, 60000)".formatted(sleeper.session()));

            assertThat(AdvisoryLocks.held(source)).isZero();
            execute(source, INSERT);
            assertThat(ear.heard()).isEmpty();
        }
    }

    private Connection begun() throws Exception {
        var connection = source.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void run(Connection connection, String sql) throws Exception {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
