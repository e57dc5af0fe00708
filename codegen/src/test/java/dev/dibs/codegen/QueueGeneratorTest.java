package dev.dibs.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is generated for a queue table. */
final class QueueGeneratorTest {

    private static final String EMAIL_JOBS =
            """
            create table email_jobs (
              job_id integer primary key autoincrement,
              name varchar(50) not null,
              payload text not null,
              priority int not null default 0,
              retry_at bigint not null default 0,
              attempt int not null default 0,
              locked_until bigint,
              lock_token bigint,
              note text
            )""";

    @TempDir
    private Path directory;

    @Test
    void aTableIsMappedByTheNamesOfItsColumnsAndByWhatIsStated() throws Exception {
        var generated = Generation.ofSqlite(directory, EMAIL_JOBS)
                .property("dibs:email_jobs", "lease queue=name")
                .run();

        System.out.println(generated.text("tables.queues.EmailJobsQueue"));
        System.out.println(generated.files().keySet());
        assertThat(generated.compile().mapping("shop.tables.queues.EmailJobsQueue", "EMAIL_JOBS_QUEUE").columns().toString()).isEqualTo("");
    }
}
