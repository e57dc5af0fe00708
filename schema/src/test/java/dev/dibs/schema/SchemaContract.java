package dev.dibs.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.quotedName;
import static org.jooq.impl.DSL.table;

import dev.dibs.table.QueueException;
import dev.dibs.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What migrating does and survives, on every database the same. */
abstract class SchemaContract extends TablesContract {

    static final String VERSION = "20261129.1000";
    private static final int INSTANCES = 8;

    SchemaContract(TestDatabase database) {
        super(database);
    }

    @Test
    void migratingTwiceDoesNothing() throws Exception {
        var source = fresh();

        assertThat(QueueSchema.migrate(source)).containsExactly(VERSION);
        assertThat(QueueSchema.migrate(source)).isEmpty();
        assertThat(history(source, "dibs_")).containsExactly(VERSION);
    }

    @Test
    void tablesOfTwoPrefixesLiveSideBySide() throws Exception {
        var source = fresh();
        QueueSchema.builder(source).prefix("a_").migrate();
        QueueSchema.builder(source).prefix("b_").migrate();

        insertInto(source, new ManagedTables(null, "a_"));
        assertThat(messages(source, new ManagedTables(null, "a_"))).isOne();
        assertThat(messages(source, new ManagedTables(null, "b_"))).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "order ", "1%.Gr\u00f6\u00dfe-#;--$", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn"})
    void anyPrefixWithoutQuotesWorks_C35(String prefix) throws Exception {
        var source = fresh();
        var tables = new ManagedTables(null, prefix);

        assertThat(QueueSchema.builder(source).prefix(prefix).migrate()).containsExactly(VERSION);
        assertThat(QueueSchema.builder(source).prefix(prefix).migrate()).isEmpty();
        insertInto(source, tables);
        assertThat(messages(source, tables)).isOne();
        int others = dsl(
                source,
                on -> on.fetchCount(tables.deadLetter())
                        + on.fetchCount(tables.queue())
                        + on.fetchCount(tables.result()));
        assertThat(others).isZero();
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void instancesThatStartTogetherAllComeUp_C21(boolean otherTables) throws Exception {
        var source = fresh();
        if (otherTables) {
            execute(source, "create table other (id int)");
        }

        var versions = together(() -> QueueSchema.migrate(source));

        assertThat(versions).as("one of them ran the script").containsOnlyOnce(List.of(VERSION));
        assertThat(history(source, "dibs_")).containsOnlyOnce(VERSION);
        insertInto(source, new ManagedTables(null, "dibs_"));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void anInstanceKilledHalfWayLeavesNothingInTheWay_C21(int n) throws Exception {
        var source = fresh();

        assertThatThrownBy(() -> QueueSchema.migrate(TestConnections.killedAtCreate(n, source)))
                .isInstanceOf(RuntimeException.class);
        QueueSchema.migrate(source);

        assertThat(history(source, "dibs_")).containsExactly(VERSION);
        insertInto(source, new ManagedTables(null, "dibs_"));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void aScriptThatFailsSaysSoAndIsRunAgain(int n) throws Exception {
        var source = fresh();
        var failing = TestConnections.failingFromCreate(n, source);

        assertThatThrownBy(() -> QueueSchema.migrate(failing))
                .isInstanceOf(QueueException.class)
                .hasMessageStartingWith("tables \"dibs_*\" on ")
                .hasMessageEndingWith(
                        ": migrating failed; run it again when the cause is gone, it resumes where it stopped: the disk is full");
        assertThat(QueueSchema.migrate(source)).containsExactly(VERSION);
        assertThat(history(source, "dibs_")).containsExactly(VERSION);
        insertInto(source, new ManagedTables(null, "dibs_"));
    }

    @Test
    void tablesNewerThanTheLibraryAreRefused() throws Exception {
        var source = fresh();
        QueueSchema.migrate(source);
        addToHistory(source, "29991231.2359", true);

        assertThatThrownBy(() -> QueueSchema.migrate(source))
                .isInstanceOf(QueueException.class)
                .hasMessageStartingWith("tables \"dibs_*\" on ")
                .hasMessageEndingWith(" have version 29991231.2359, and this Dibs knows them up to " + VERSION
                        + "; update Dibs, an older one must not run on newer tables");
    }

    @Test
    void aNewerVersionThatFailedIsRefusedToo() throws Exception {
        var source = fresh();
        QueueSchema.migrate(source);
        addToHistory(source, "29991231.2359", false);

        assertThatThrownBy(() -> QueueSchema.migrate(source)).hasMessageContaining("update Dibs");
        assertThat(history(source, "dibs_")).contains("29991231.2359");
    }

    @Test
    void aPoolWithAutoCommitOffIsLeftAsItWas_C17() throws Exception {
        var source = fresh();
        var complaints = new ConcurrentLinkedQueue<String>();

        assertThat(QueueSchema.migrate(TestConnections.autoCommitOff(source, complaints)))
                .containsExactly(VERSION);
        assertThat(QueueSchema.migrate(TestConnections.autoCommitOff(source, complaints)))
                .isEmpty();
        assertThat(complaints).isEmpty();
        insertInto(source, new ManagedTables(null, "dibs_"));
    }

    @Test
    void anApplicationThatMigratesFirstSeesNothingOfIt_C20() throws Exception {
        var source = fresh();

        assertThat(application(source).load().migrate().migrationsExecuted).isEqualTo(3);
        assertThat(QueueSchema.migrate(source)).containsExactly(VERSION);
        assertThat(application(source).load().migrate().migrationsExecuted).isZero();
        assertThat(later(source).load().migrate().migrationsExecuted).isOne();
        assertThat(QueueSchema.migrate(source)).isEmpty();
    }

    @Test
    void anApplicationThatMigratesSecondStartsItsHistoryAtZero_C20() throws Exception {
        var source = fresh();

        assertThat(QueueSchema.migrate(source)).containsExactly(VERSION);
        assertThat(application(source)
                        .baselineOnMigrate(true)
                        .baselineVersion("0")
                        .load()
                        .migrate()
                        .migrationsExecuted)
                .isEqualTo(3);
        assertThat(QueueSchema.migrate(source)).isEmpty();
        assertThat(later(source).load().migrate().migrationsExecuted).isOne();
    }

    @Test
    void theScriptsRunInsideTheApplicationsFlyway_C20() throws Exception {
        var source = fresh();

        assertThat(withOurs(application(source), source).load().migrate().migrationsExecuted)
                .isEqualTo(4);
        insertInto(source, new ManagedTables(null, "jobs_"));
        assertThat(withOurs(later(source), source).outOfOrder(true).load().migrate().migrationsExecuted)
                .isOne();
    }

    @Test
    void theScriptsRunInsideTheApplicationsFlywayBeforeItsOwn_C20() throws Exception {
        var source = fresh();

        var oursOnly = withOurs(Flyway.configure(), source).locations(location(source));
        assertThat(oursOnly.load().migrate().migrationsExecuted).isOne();
        assertThat(withOurs(application(source), source).outOfOrder(true).load().migrate().migrationsExecuted)
                .isEqualTo(3);
        insertInto(source, new ManagedTables(null, "jobs_"));
    }

    @Test
    void theScriptsRunByHand_C20() throws Exception {
        var source = fresh();
        runByHand(source);

        insertInto(source, new ManagedTables(null, "jobs_"));
        assertThatThrownBy(() -> QueueSchema.builder(source).prefix("jobs_").migrate())
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "tables \"jobs_*\": \"jobs_message\" is there but \"jobs_schema_history\" is not, so QueueSchema did not make it;"
                                + " keep to what did (the application's own Flyway, or somebody by hand), or choose another prefix");
    }

    private static FluentConfiguration application(DataSource source) {
        return Flyway.configure().dataSource(source);
    }

    private static FluentConfiguration later(DataSource source) {
        return application(source).locations("classpath:db/migration", "classpath:db/later");
    }

    private FluentConfiguration withOurs(FluentConfiguration application, DataSource source) throws Exception {
        var locations = new ArrayList<String>();
        Arrays.stream(application.getLocations()).map(Object::toString).forEach(locations::add);
        locations.add(location(source));
        return application
                .dataSource(source)
                .locations(locations.toArray(String[]::new))
                .placeholders(placeholders(source));
    }

    private static String location(DataSource source) throws Exception {
        return "classpath:" + server(source).scripts();
    }

    private static Map<String, String> placeholders(DataSource source) throws Exception {
        var schema =
                dsl(source, on -> on.select(DSL.currentSchema()).fetchSingle().value1());
        return Map.of("dibs_prefix", "jobs_", "dibs_schema", Objects.requireNonNullElse(schema, ""));
    }

    private static void runByHand(DataSource source) throws Exception {
        var script = resource("/" + server(source).scripts() + "/V20261129_1000__dibs_tables.sql");
        for (var placeholder : placeholders(source).entrySet()) {
            script = script.replace("${" + placeholder.getKey() + "}", placeholder.getValue());
        }
        for (var statement : script.replaceAll("(?m)--.*$", "").split(";", -1)) {
            if (!statement.isBlank()) {
                execute(source, statement);
            }
        }
    }

    private static String resource(String name) {
        try (var in = Objects.requireNonNull(SchemaContract.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static <R> List<R> together(Callable<R> start) throws Exception {
        var barrier = new CyclicBarrier(INSTANCES);
        var threads = Executors.newFixedThreadPool(INSTANCES);
        try {
            var running = new ArrayList<Future<R>>();
            for (var i = 0; i < INSTANCES; i++) {
                running.add(threads.submit(() -> {
                    barrier.await();
                    return start.call();
                }));
            }
            var results = new ArrayList<R>();
            for (var instance : running) {
                results.add(instance.get(90, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void addToHistory(DataSource source, String version, boolean success) throws Exception {
        dsl(
                source,
                on -> on.insertInto(table(quotedName("dibs_schema_history")))
                        .columns(
                                text("version"),
                                text("description"),
                                text("type"),
                                text("script"),
                                text("installed_by"),
                                field(quotedName("installed_rank"), Integer.class),
                                field(quotedName("execution_time"), Integer.class),
                                field(quotedName("success"), Boolean.class))
                        .values(version, "from the future", "SQL", "V.sql", "us", 99, 1, success)
                        .execute());
    }

    static List<String> history(DataSource source, String prefix) throws Exception {
        return dsl(
                source,
                on -> on.select(text("version"))
                        .from(table(quotedName(prefix + "schema_history")))
                        .where(text("type").eq(inline("SQL")))
                        .fetch(0, String.class));
    }

    private static Field<String> text(String column) {
        return field(quotedName(column), SQLDataType.VARCHAR);
    }

    static void insertInto(DataSource source, ManagedTables tables) throws Exception {
        var message = tables.message();
        var id = dsl(
                source,
                on -> on.insertInto(message, message.QUEUE, message.PAYLOAD)
                        .values("emails", "{}")
                        .returning(message.ID)
                        .fetchSingle()
                        .getId());
        assertThat(id).isPositive();
        dsl(
                source,
                on -> on.update(message)
                        .set(message.ATTEMPT, message.ATTEMPT.plus(1))
                        .where(message.ID.eq(id))
                        .execute());
    }

    static int messages(DataSource source, ManagedTables tables) throws Exception {
        var message = tables.message();
        return dsl(
                source,
                on -> on.select(count())
                        .from(message)
                        .where(message.ATTEMPT.eq(1))
                        .fetchSingle()
                        .value1());
    }

    static void execute(DataSource source, String sql) throws Exception {
        dsl(source, on -> on.execute(sql));
    }

    static Server server(DataSource source) throws Exception {
        try (var connection = source.getConnection()) {
            return Server.of(connection);
        }
    }

    static <R> R dsl(DataSource source, SqlFunction<DSLContext, R> work) throws Exception {
        try (var connection = source.getConnection()) {
            return work.apply(DSL.using(connection));
        }
    }
}
