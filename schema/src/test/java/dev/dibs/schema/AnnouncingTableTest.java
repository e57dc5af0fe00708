package dev.dibs.schema;

import static dev.dibs.schema.SchemaContract.dsl;
import static dev.dibs.schema.SchemaContract.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.quotedName;
import static org.jooq.impl.DSL.table;

import dev.dibs.table.QueueException;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.wake.Announcement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.Table;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How a table's announcements are switched, and what is refused. */
@Timeout(120)
final class AnnouncingTableTest {

    private static final Table<?> JOBS = table(quotedName("jobs"));
    private static final Duration IN_TIME = Duration.ofSeconds(20);

    private Address address;
    private DataSource source;

    @BeforeEach
    void open() throws Exception {
        address = TestDatabase.postgresql().newDatabase();
        source = TestConnections.to(address);
        execute(source, "create table jobs (id bigint, body text)");
    }

    @Test
    void eachSwitchIsInForceWhenItReturns() throws Exception {
        assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(Announcement.OFF);

        for (var announcement : List.of(
                Announcement.ON_DEMAND,
                Announcement.ALWAYS,
                Announcement.ON_DEMAND,
                Announcement.OFF,
                Announcement.ALWAYS,
                Announcement.OFF)) {
            QueueSchema.announce(source, JOBS, announcement);

            assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(announcement);
            assertThat(triggers()).hasSize(announcement == Announcement.OFF ? 0 : 1);
        }
    }

    @Test
    void theTriggerFiresOnceForAStatementAndIsToldItsChannel() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);

        assertThat(definition())
                .isEqualTo("CREATE TRIGGER dibs_announce AFTER INSERT ON public.jobs FOR EACH STATEMENT"
                        + " EXECUTE FUNCTION dibs_announce('dibs:public.jobs', 'ALWAYS')");
    }

    @Test
    void onDemandTheTriggersConditionHoldsTheTableByItsNumberSoThatADumpTakesItAlong() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);

        assertThat(definition())
                .startsWith("CREATE TRIGGER dibs_announce AFTER INSERT ON public.jobs FOR EACH STATEMENT WHEN (")
                .contains("pg_try_advisory_lock(", "'jobs'::regclass", "pg_advisory_unlock(")
                .endsWith(" EXECUTE FUNCTION dibs_announce('dibs:public.jobs', 'ON_DEMAND')");
    }

    private String definition() throws Exception {
        return dsl(
                source,
                on -> on.fetchSingle("select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal")
                        .get(0, String.class));
    }

    @Test
    void aTriggerOnDemandWithoutItsConditionIsMadeAnew() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        var definition = definition();
        execute(source, "drop trigger dibs_announce on jobs");
        execute(source, definition.replaceAll("(?s)WHEN .* EXECUTE", "EXECUTE"));
        assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(Announcement.OFF);

        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);

        assertThat(definition()).isEqualTo(definition);
    }

    @Test
    void switchingToWhatIsThereChangesNothing() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        var triggers = triggers();
        var functions = functions();

        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);

        assertThat(triggers()).isEqualTo(triggers);
        assertThat(functions()).isEqualTo(functions);
    }

    @Test
    void aTableThatNeverAnnouncedIsSwitchedOffWithoutATrace() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.OFF);

        assertThat(triggers()).isEmpty();
        assertThat(functions()).isEmpty();
    }

    @Test
    void tablesOfOneSchemaShareTheFunction() throws Exception {
        execute(source, "create table tasks (id bigint)");
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        var functions = functions();

        QueueSchema.announce(source, table(quotedName("tasks")), Announcement.ALWAYS);

        assertThat(functions()).hasSize(1).isEqualTo(functions);
        assertThat(triggers()).hasSize(2);
        assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(Announcement.ON_DEMAND);
    }

    @Test
    void aFunctionOfAnotherVersionIsReplaced() throws Exception {
        execute(source, "create function dibs_announce() returns trigger language plpgsql as 'begin return null; end'");

        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);

        try (var ear = Ear.at(source, JOBS)) {
            execute(source, "insert into jobs values (1)");
            assertThat(ear.heard()).containsExactly("dibs:public.jobs");
        }
    }

    @Test
    void theManagedTableOfMessagesIsSwitchedByItsPrefixAndSchema() throws Exception {
        var managed = QueueSchema.builder(source).prefix("My_").schema("App");
        managed.migrate();
        var messages = new ManagedTables("App", "My_").message();

        managed.announce(Announcement.ON_DEMAND);

        assertThat(QueueSchema.announcement(source, messages)).isEqualTo(Announcement.ON_DEMAND);
        assertThat(triggers()).hasSize(1);
    }

    @Test
    void aTriggerThatIsDisabledAnnouncesNothingUntilItIsSwitchedAgain() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);
        execute(source, "alter table jobs disable trigger dibs_announce");
        assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(Announcement.OFF);

        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);

        assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(Announcement.ALWAYS);
        assertThat(triggers()).hasSize(1);
    }

    @Test
    void aTriggerThatIsDisabledIsTakenAwayToo() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);
        execute(source, "alter table jobs disable trigger all");

        QueueSchema.announce(source, JOBS, Announcement.OFF);

        assertThat(triggers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"replica, OFF", "always, ALWAYS"})
    void aTriggerMustFireInOrdinarySessions(String sessions, Announcement announcement) throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ALWAYS);

        execute(source, "alter table jobs enable %s trigger dibs_announce".formatted(sessions));

        assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(announcement);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "alter table jobs rename to tasks | tasks | dibs:public.tasks",
                "create schema app; alter table jobs set schema app | app.jobs | dibs:app.jobs",
                "alter schema public rename to app | app.jobs | dibs:app.jobs"
            })
    void aTableThatGotAnotherNameIsSwitchedAgain(String change, String name, String channel) throws Exception {
        var renamed = table(name);
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        execute(source, change);
        assertThat(QueueSchema.announcement(source, renamed)).isEqualTo(Announcement.OFF);

        QueueSchema.announce(source, renamed, Announcement.ON_DEMAND);

        assertThat(QueueSchema.announcement(source, renamed)).isEqualTo(Announcement.ON_DEMAND);
        try (var ear = Ear.at(source, renamed)) {
            ear.sleep(renamed);
            execute(source, "insert into %s values (1)".formatted(name));
            assertThat(ear.heard()).containsExactly(channel);
        }
    }

    @Test
    void instancesThatStartTogetherInstallOneTrigger_C21() throws Exception {
        var installed = SchemaContract.together(() -> {
            QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
            return QueueSchema.announcement(source, JOBS);
        });

        assertThat(installed).containsOnly(Announcement.ON_DEMAND);
        assertThat(triggers()).hasSize(1);
        assertThat(functions()).hasSize(1);
    }

    @Test
    void instancesThatDisagreeAllSucceedAndOneIsTheLast_C21() throws Exception {
        var wishes = List.of(Announcement.values());
        var turns = new AtomicInteger();
        SchemaContract.together(() -> {
            var wanted = wishes.get(turns.getAndIncrement() % wishes.size());
            for (int time = 0; time < 10; time++) {
                QueueSchema.announce(source, JOBS, wanted);
            }
            return wanted;
        });

        assertThat(triggers().isEmpty()).isEqualTo(QueueSchema.announcement(source, JOBS) == Announcement.OFF);
    }

    @Test
    void instancesOfAnIsolationAboveReadCommittedStartTogetherToo_C21() throws Exception {
        var serializable = TestConnections.after("set default_transaction_isolation = 'serializable'", source);

        SchemaContract.together(() -> {
            QueueSchema.announce(serializable, JOBS, Announcement.ON_DEMAND);
            return true;
        });

        assertThat(triggers()).hasSize(1);
    }

    @Test
    void aTableThatALongTransactionWritesIsRefusedInTimeAndOthersWriteOn() throws Exception {
        try (var pool = address.pool(1);
                var writer = source.getConnection()) {
            writer.setAutoCommit(false);
            writer.createStatement().execute("insert into jobs values (1)");
            var begun = System.nanoTime();

            assertThatThrownBy(() -> QueueSchema.announce(pool, JOBS, Announcement.ON_DEMAND))
                    .isInstanceOf(QueueException.class)
                    .hasMessage(
                            "table \"jobs\": it could not be locked within 3 s, because of a transaction that wrote to it and is still open, or another instance that waits for one; nothing was changed, so end that transaction (pg_locks knows its session), or call again later");

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(IN_TIME);
            assertThat(triggers()).isEmpty();
            assertThat(functions()).isEmpty();
            assertThat(AdvisoryLocks.held(source)).isZero();
            execute(source, "insert into jobs values (2)");
            String timeout = dsl(pool, on -> on.fetchSingle("show lock_timeout").get(0, String.class));
            assertThat(timeout).as("of the pool's session").isEqualTo("0");
            writer.commit();
        }
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(Announcement.ON_DEMAND);
    }

    @Test
    void whatIsInForceWaitsForNoTransaction() throws Exception {
        QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        try (var writer = source.getConnection()) {
            writer.setAutoCommit(false);
            writer.createStatement().execute("lock table jobs");

            QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);

            assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(Announcement.ON_DEMAND);
        }
    }

    @Test
    void aReaderHoldsUpNoInstallation() throws Exception {
        try (var reader = source.getConnection()) {
            reader.setAutoCommit(false);
            reader.createStatement().execute("select * from jobs");

            QueueSchema.announce(source, JOBS, Announcement.ON_DEMAND);
        }
        assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(Announcement.ON_DEMAND);
    }

    @Test
    void aPoolWithAutoCommitOffIsLeftAsItWas_C17() throws Exception {
        var complaints = new ConcurrentLinkedQueue<String>();
        var off = TestConnections.autoCommitOff(source, complaints);

        QueueSchema.announce(off, JOBS, Announcement.ON_DEMAND);

        assertThat(QueueSchema.announcement(off, JOBS)).isEqualTo(Announcement.ON_DEMAND);
        assertThat(QueueSchema.announcement(source, JOBS)).isEqualTo(Announcement.ON_DEMAND);
        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "create view v as select * from jobs | v | it is a view, into which no row is written; let the tables announce in which its rows are",
                "create materialized view v as select * from jobs | v | it is a materialized view, into which no row is written; let the tables announce in which its rows are",
                "create sequence v | v | it is no table, into which no row is written; let the tables announce in which its rows are",
                "create schema app | app.jobs | there is none of this name where the connection looks; create it first, or name it with its schema and in its own capitals",
                "create table \"V\" (id bigint) | v | there is none of this name where the connection looks; create it first, or name it with its schema and in its own capitals"
            })
    void whatIsNoTableIsRefused(String create, String name, String message) throws Exception {
        execute(source, create);

        assertThatThrownBy(() -> QueueSchema.announce(source, table(name), Announcement.ON_DEMAND))
                .isInstanceOf(QueueException.class)
                .hasMessage("table %s: %s", name, message);
        assertThatThrownBy(() -> QueueSchema.announcement(source, table(name)))
                .isInstanceOf(QueueException.class)
                .hasMessage("table %s: %s", name, message);
    }

    @Test
    void aTemporaryTableIsRefused() {
        var temporary = TestConnections.after("create temporary table passing (id bigint)", source);

        assertThatThrownBy(() -> QueueSchema.announce(temporary, table("passing"), Announcement.ALWAYS))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "table passing: it is a temporary table, whose rows nobody else sees; let a lasting one announce");
    }

    @Test
    void aUserWithoutTheRightsIsToldWhatTheDatabaseSays() throws Exception {
        var user = "user" + System.nanoTime();
        execute(source, "create role " + user);
        try {
            var asUser = TestConnections.after("set role " + user, source);

            assertThatThrownBy(() -> QueueSchema.announce(asUser, JOBS, Announcement.ALWAYS))
                    .isInstanceOf(QueueException.class)
                    .hasMessageStartingWith("table \"jobs\": the database refuses: ")
                    .hasMessageContaining("permission denied for schema public");
        } finally {
            execute(source, "drop role " + user);
        }
    }

    @ParameterizedTest
    @MethodSource("others")
    void otherDatabasesAreRefused(TestDatabase database) {
        var other = TestConnections.to(database.newDatabase());

        for (var announcement : Announcement.values()) {
            assertThatThrownBy(() -> QueueSchema.announce(other, JOBS, announcement))
                    .isInstanceOf(QueueException.class)
                    .hasMessageStartingWith("table \"jobs\": the database is ")
                    .hasMessageEndingWith(
                            ", and PostgreSQL alone announces inserts; leave it out, workers find the rows when they look");
        }
    }

    static Stream<TestDatabase> others() {
        return Stream.of(TestDatabase.mysql(), TestDatabase.mariadb(), TestDatabase.sqlite());
    }

    private List<String> triggers() throws Exception {
        return dsl(
                source,
                on -> on.fetch("select oid || ' ' || xmin::text from pg_trigger where not tgisinternal order by oid")
                        .getValues(0, String.class));
    }

    private List<String> functions() throws Exception {
        return dsl(
                source,
                on -> on.fetch("select oid || ' ' || xmin::text from pg_proc where proname = 'dibs_announce'")
                        .getValues(0, String.class));
    }
}
