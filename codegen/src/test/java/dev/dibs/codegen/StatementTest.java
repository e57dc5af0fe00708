package dev.dibs.codegen;

import static dev.dibs.codegen.EmailJobs.INDEX;
import static dev.dibs.codegen.EmailJobs.MAPPING;
import static dev.dibs.codegen.EmailJobs.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where it is stated which tables are queues. */
final class StatementTest {

    private static final String COMMENTED = """
            create table jobs (id bigint primary key, body text not null, leased_until bigint);
            comment on table jobs is 'Letters to print.
            dibs: lease payload=body';
            """;

    @TempDir
    private Path directory;

    @Test
    void aTablesCommentStatesIt() throws Exception {
        var generation = Generation.ofScript(directory, COMMENTED).run();

        assertThat(generation.text("tables.queues.JobsQueue"))
                .contains("Queues in the table <code>jobs</code>, in the lease form.")
                .contains("QueueTable.of(table, table.ID, payload)")
                .contains(".leasedUntil(table.LEASED_UNTIL)");
        generation.compile();
    }

    @Test
    void aPropertyIsReadInsteadOfTheComment() throws Exception {
        var generation = Generation.ofScript(directory, COMMENTED)
                .property("dibs:jobs", "row-lock leasedUntil=-")
                .run();

        assertThat(generation.text("tables.queues.JobsQueue"))
                .contains("in the row lock form")
                .doesNotContain("leasedUntil");
    }

    @Test
    void aPropertyTakesAQueueAway() throws Exception {
        var generation = Generation.ofScript(directory, COMMENTED)
                .property("dibs:jobs", "-")
                .run();

        assertThat(generation.text("tables.Jobs")).isNotEmpty();
        assertThat(generation.text("tables.queues.JobsQueue")).isEmpty();
    }

    @Test
    void anExpressionStatesOneThingOfManyTables() throws Exception {
        var generation = Generation.ofSqlite(
                        directory,
                        "create table a_jobs (id integer primary key not null, payload text)",
                        "create table b_jobs (id integer primary key not null, payload text)",
                        "create table jobs_done (id integer primary key not null, payload text)")
                .property("dibs:[ab]_JOBS", "row-lock")
                .run();

        assertThat(generation.files().keySet().stream().filter(file -> file.contains("/queues/")))
                .containsExactly("shop/tables/queues/AJobsQueue.java", "shop/tables/queues/BJobsQueue.java");
    }

    @Test
    void aStatedPartIsFoundByItsConventionalName() throws Exception {
        var generation = Generation.ofSqlite(directory, TABLE, INDEX)
                .property("dibs:email_jobs", "lease queue=name dueAt attempt")
                .run();

        assertThat(generation.text(MAPPING)).contains(".dueAt(table.RETRY_AT)").contains(".attempt(table.ATTEMPT)");
    }

    @Test
    void aTableOfDeadLettersHasATimeAndAReasonOfEachAndNeedsNoIndex() throws Exception {
        var generation = Generation.ofSqlite(directory, """
                        create table dead_email (
                          id bigint not null primary key,
                          payload text not null,
                          queue text not null,
                          dedup_key text,
                          reason text not null,
                          died_at bigint not null
                        )""")
                .property("dibs:dead_email", "dead-letters error=reason finishedAt=died_at");

        try (var log = new GeneratorLog()) {
            generation.run();

            assertThat(log.warnings()).isEmpty();
        }
        assertThat(generation.text("tables.queues.DeadEmailQueue"))
                .contains("Dead letters in the table <code>dead_email</code>.")
                .contains(".finishedAt(table.DIED_AT)")
                .contains(".error(table.REASON)");
        generation.compile();
    }

    @Test
    void aPropertyThatMatchesNoTableIsRefused() throws Exception {
        refused("dibs:emial_jobs", "lease", """
                property dibs:emial_jobs: no table that is generated has such a name; the tables are [email_jobs]""");
    }

    @Test
    void aPropertyThatIsNoExpressionIsRefused() throws Exception {
        refused("dibs:*_jobs", "lease", """
                property dibs:*_jobs: this is no regular expression; write one that matches the names of tables \
                (Dangling meta character '*')""");
    }

    @Test
    void twoPropertiesForOneTableAreRefused() throws Exception {
        var generation = Generation.ofSqlite(directory, TABLE)
                .property("dibs:email.*", "lease")
                .property("dibs:.*jobs", "row-lock");

        assertThat(generation.refusal()).isEqualTo("""
                table email_jobs: several properties match it, dibs:.*jobs and dibs:email.*; \
                make them differ, so that one of them states its mapping""");
    }

    private void refused(String key, String value, String message) throws Exception {
        var generation = Generation.ofSqlite(directory, TABLE).property(key, value);

        assertThat(generation.refusal()).isEqualTo(message);
    }
}
