package dev.dibs.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Queue;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A queue on a mapping that is generated from a database, or from its script, and compiled as a user's build does. */
final class GeneratedQueueTest {

    private static final int PATIENCE_IN_SECONDS = 60;

    private static final String MAPPING = "tables.queues.PrintjobQueue";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("databases")
    void aTableOfADatabaseIsAQueueOfPayloads(TestDatabase database) throws Exception {
        var address = created(database);

        handlesAPayload(address, mapping(stated(Generation.of(directory, address), address.dialect())));
    }

    @ParameterizedTest
    @MethodSource("databases")
    @SuppressWarnings("unchecked") // without a payload's column it is the record
    void aTableOfADatabaseIsAQueueOfRecords(TestDatabase database) throws Exception {
        var address = created(database);
        var table = (QueueTable<Record>) mapping(
                Generation.of(directory, address).property("dibs:PrintJob", PrintJobs.STATEMENT + " payload=-"));
        try (var pool = address.pool(4)) {
            var dsl = DSL.using(pool, address.dialect());
            var jobs = Queue.of(dsl, table, "second floor");
            var handled = new LinkedBlockingQueue<String>();

            var row = dsl.newRecord(table.table());
            row.set(DSL.field(DSL.name("body"), String.class), "a poster");
            jobs.enqueue(row);
            try (var worker = jobs.worker().consume(job -> handled.add(job.get("body", String.class)))) {
                assertThat(handled.poll(PATIENCE_IN_SECONDS, TimeUnit.SECONDS)).isEqualTo("a poster");
            }

            assertThat(dsl.fetchCount(table.table())).isZero();
        }
    }

    /** A script does not tell a TIMESTAMP of MySQL or MariaDB from a DATETIME, and a worker refuses to take one for the other. */
    @ParameterizedTest
    @MethodSource("databases")
    void theScriptOfATableMakesTheSameQueue(TestDatabase database) throws Exception {
        var script = PrintJobs.script(database.dialect()).replace(" timestamp(6)", " datetime(6)");

        handlesAPayload(
                created(database, script),
                mapping(Generation.ofScript(directory, script).property("dibs:PrintJob", PrintJobs.STATEMENT)));
    }

    @Test
    void theSchemaOfAMappingMayBeAnotherWhenItRuns() throws Exception {
        var address = created(TestDatabase.sqlite());
        var table = Generation.ofScript(directory, PrintJobs.script(address.dialect()))
                .property("dibs:PrintJob", PrintJobs.STATEMENT)
                .with(configured -> configured
                        .getGenerator()
                        .getDatabase()
                        .withOutputSchemaToDefault(false)
                        .setOutputSchema("print"))
                .run()
                .compile()
                .mapping("shop." + MAPPING, "PRINTJOB_QUEUE");
        var settings = new Settings()
                .withRenderMapping(new RenderMapping()
                        .withSchemata(new MappedSchema().withInput("print").withOutput("main")));

        try (var pool = address.pool(4)) {
            handlesAPayload(DSL.using(pool, address.dialect(), settings), table);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void anIndexOfADatabaseIsSeen(TestDatabase database) throws Exception {
        var address = created(database);

        try (var log = new GeneratorLog()) {
            stated(Generation.of(directory, address), address.dialect()).run();

            assertThat(log.warnings()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void anIndexThatADatabaseDoesNotHaveIsWarnedOf(TestDatabase database) throws Exception {
        var address = created(database);
        execute(
                address,
                DSL.using(address.dialect())
                        .dropIndex(DSL.name("PrintJob_claim"))
                        .on(DSL.name("PrintJob"))
                        .getSQL());

        try (var log = new GeneratorLog()) {
            stated(Generation.of(directory, address), address.dialect()).run();

            assertThat(log.warnings()).singleElement().asString().contains("PrintJob: no index serves the claim order");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aQueueInTheOrderOfItsIdsNeedsNoIndexBesideItsKey(TestDatabase database) throws Exception {
        var address = created(database, "create table jobs (id int not null primary key, payload varchar(200));");

        try (var log = new GeneratorLog()) {
            Generation.of(directory, address).property("dibs:jobs", "row-lock").run();

            assertThat(log.warnings()).isEmpty();
        }
    }

    static Stream<TestDatabase> databases() {
        return Stream.of(
                TestDatabase.postgresql(), TestDatabase.mysql(), TestDatabase.mariadb(), TestDatabase.sqlite());
    }

    private static Address created(TestDatabase database) {
        var address = created(database, PrintJobs.script(database.dialect()));
        if (address.dialect() != SQLDialect.SQLITE) {
            execute(address, PrintJobs.comment(address.dialect()));
        }
        return address;
    }

    private static Address created(TestDatabase database, String script) {
        var address = database.newDatabase();
        execute(
                address,
                Stream.of(script.split(";\\s*", -1))
                        .filter(statement -> !statement.isEmpty())
                        .toArray(String[]::new));
        return address;
    }

    private static void execute(Address address, String... statements) {
        try (var pool = address.pool(1)) {
            Stream.of(statements).forEach(DSL.using(pool, address.dialect())::execute);
        }
    }

    // By the table's comment where the database has comments.
    private static Generation stated(Generation generation, SQLDialect dialect) {
        return dialect == SQLDialect.SQLITE ? generation.property("dibs:PrintJob", PrintJobs.STATEMENT) : generation;
    }

    private static QueueTable<?> mapping(Generation generation) throws Exception {
        return generation.run().compile().mapping("shop." + MAPPING, "PRINTJOB_QUEUE");
    }

    private static void handlesAPayload(Address address, QueueTable<?> table) throws Exception {
        try (var pool = address.pool(4)) {
            handlesAPayload(DSL.using(pool, address.dialect()), table);
        }
    }

    @SuppressWarnings("unchecked") // the payload's column is a text
    private static void handlesAPayload(DSLContext dsl, QueueTable<?> table) throws Exception {
        var jobs = Queue.of(dsl, (QueueTable<String>) table, "second floor");
        var handled = new LinkedBlockingQueue<String>();

        jobs.enqueue("a poster");
        try (var worker = jobs.worker().consume(handled::add)) {
            assertThat(handled.poll(PATIENCE_IN_SECONDS, TimeUnit.SECONDS)).isEqualTo("a poster");
        }

        assertThat(dsl.fetchCount(table.table())).isZero();
    }
}
