package dev.dibs.codegen;

import static dev.dibs.codegen.EmailJobs.INDEX;
import static dev.dibs.codegen.EmailJobs.MAPPING;
import static dev.dibs.codegen.EmailJobs.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Queue;
import dev.dibs.table.QueueTable;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** A queue on a generated mapping, which a test compiles as a user's build does. */
final class GeneratedQueueTest {

    private static final int PATIENCE_IN_SECONDS = 60;

    @TempDir
    private Path directory;

    private DSLContext dsl = DSL.using(SQLDialect.SQLITE);

    @BeforeEach
    void create() {
        var file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + directory.resolve("live.sqlite"));
        dsl = DSL.using(file, SQLDialect.SQLITE);
        dsl.execute(TABLE);
        dsl.execute(INDEX);
    }

    @Test
    @SuppressWarnings("unchecked") // the payload's column is a text
    void payloadsAreHandledAndSettled() throws Exception {
        var table = (QueueTable<String>) mapping("lease queue=name");
        var emails = Queue.of(dsl, table, "emails");
        var handled = new LinkedBlockingQueue<String>();

        emails.enqueue("Welcome");
        try (var worker = emails.worker().consume(handled::add)) {
            assertThat(handled.poll(PATIENCE_IN_SECONDS, TimeUnit.SECONDS)).isEqualTo("Welcome");
        }

        assertThat(dsl.fetchCount(table.table())).isZero();
    }

    @Test
    @SuppressWarnings("unchecked") // without a payload's column it is the record
    void recordsAreHandledAndSettled() throws Exception {
        var table = (QueueTable<Record>) mapping("lease queue=name payload=-");
        var emails = Queue.of(dsl, table, "emails");
        var handled = new LinkedBlockingQueue<String>();

        var row = dsl.newRecord(table.table());
        row.set(DSL.field(DSL.name("payload"), String.class), "Welcome");
        emails.enqueue(row);
        try (var worker = emails.worker().consume(record -> handled.add(record.get("payload", String.class)))) {
            assertThat(handled.poll(PATIENCE_IN_SECONDS, TimeUnit.SECONDS)).isEqualTo("Welcome");
        }

        assertThat(dsl.fetchCount(table.table())).isZero();
    }

    private QueueTable<?> mapping(String statement) throws Exception {
        return Generation.ofSqlite(directory, TABLE, INDEX)
                .property("dibs:email_jobs", statement)
                .run()
                .compile()
                .mapping("shop." + MAPPING, "EMAIL_JOBS_QUEUE");
    }
}
