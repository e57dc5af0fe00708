package dev.dibs.codegen;

import static dev.dibs.codegen.EmailJobs.INDEX;
import static dev.dibs.codegen.EmailJobs.STATEMENT;
import static dev.dibs.codegen.EmailJobs.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of indexes that a queue needs. */
final class IndexTest {

    private static final String KEEPING = """
            create table jobs (
              id bigint primary key, payload text not null, priority int not null, leased_until bigint, finished_at bigint
            );
            """;

    private final GeneratorLog log = new GeneratorLog();

    @TempDir
    private Path directory;

    @AfterEach
    void leave() {
        log.close();
    }

    @Test
    @Tag("pinned-sql")
    void aTableWithoutTheIndexIsWarnedOfWithTheStatementThatCreatesIt() throws Exception {
        emailJobs(TABLE).run();

        assertThat(warnings()).containsExactly("""
                table email_jobs: no index serves the claim order, so each claim sorts the rows; \
                create one: create index email_jobs_claim on email_jobs(name, priority, retry_at, job_id)""");
    }

    @Test
    void theStatementThatIsShownCreatesWhatIsAskedFor() throws Exception {
        emailJobs(TABLE).run();
        var statement = warnings().get(0).replaceFirst(".*create one: ", "");
        log.clear();

        emailJobs(TABLE, statement).run();

        assertThat(warnings()).isEmpty();
    }

    @Test
    void anIndexInClaimOrderIsEnough() throws Exception {
        emailJobs(TABLE, INDEX).run();

        assertThat(warnings()).isEmpty();
    }

    @Test
    void anIndexWithThePriorityFirstIsEnoughToo() throws Exception {
        emailJobs(TABLE, "create index by_priority on email_jobs (priority, name, retry_at)")
                .run();

        assertThat(warnings()).isEmpty();
    }

    @Test
    void anIndexInAnotherOrderIsNot() throws Exception {
        emailJobs(TABLE, "create index by_time on email_jobs (retry_at, name, priority)")
                .run();

        assertThat(warnings()).hasSize(1);
    }

    @Test
    void anIndexThatDescendsIsNot() throws Exception {
        Generation.ofScript(directory, KEEPING + "create index jobs_claim on jobs (priority desc, finished_at, id);")
                .property("dibs:jobs", "lease")
                .run();

        assertThat(warnings()).hasSize(1);
    }

    @Test
    void keptRowsAreLeftOutOfTheIndex() throws Exception {
        Generation.ofScript(directory, KEEPING).property("dibs:jobs", "lease").run();

        assertThat(warnings())
                .singleElement()
                .asString()
                .endsWith(
                        "create index \"jobs_claim\" on \"jobs\"(\"priority\", \"id\") where \"finished_at\" is null");
    }

    @Test
    void onMysqlKeptRowsAreSetApartInTheIndex() throws Exception {
        Generation.ofXml(directory, "MYSQL", MysqlJobs.DESCRIPTION)
                .property("dibs:jobs", "lease")
                .run();

        assertThat(warnings())
                .singleElement()
                .asString()
                .endsWith("create index `jobs_claim` on `jobs`(`finished_at`, `due_at`, `id`)");
    }

    @Test
    void whereIndexesAreNotReadNothingIsSaidOfThem() throws Exception {
        emailJobs(TABLE)
                .with(configured -> configured.getGenerator().getDatabase().setIncludeIndexes(false))
                .run();

        assertThat(warnings()).isEmpty();
    }

    @Test
    void aDedupKeyWithoutItsUniqueIndexIsWarnedOf() throws Exception {
        emailJobs(EmailJobs.with("note varchar(50)").replace("note", "dedup_key"), INDEX)
                .run();

        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith(
                        "table email_jobs: no unique index keeps a dedup key once, so that none can be used; create one: create unique index ");
    }

    @Test
    void aDedupKeyWithItsUniqueIndexIsNot() throws Exception {
        emailJobs(
                        EmailJobs.with("note varchar(50)").replace("note", "dedup_key"),
                        INDEX,
                        "create unique index once on email_jobs (dedup_key, name) where dedup_key is not null")
                .run();

        assertThat(warnings()).isEmpty();
    }

    @Test
    void aUniqueConstraintIsAnIndexToo() throws Exception {
        emailJobs(EmailJobs.with("note varchar(50), unique (name, note)").replace("note", "dedup_key"), INDEX)
                .run();

        assertThat(warnings()).isEmpty();
    }

    private Generation emailJobs(String... statements) throws Exception {
        return Generation.ofSqlite(directory, statements).property("dibs:email_jobs", STATEMENT);
    }

    private List<String> warnings() {
        return log.warnings();
    }
}
