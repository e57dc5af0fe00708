package dev.dibs.testkit;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.util.stream.Collectors;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * Shows the statements of a claim as the database gets them.
 *
 * <p>Another version of jOOQ may write them otherwise and as well; the tag lets a build leave these tests out.
 */
@Tag("pinned-sql")
public abstract class ClaimSqlContract {

    private final TestDatabase database;
    private HikariDataSource pool;

    /** The contract on a database. */
    protected ClaimSqlContract(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void openPool() {
        pool = database.newDatabase().pool(2);
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    /** What a claim of one row of the queue "mail" executes, with an empty line between two statements. */
    protected String claim(LockForm form) {
        var dsl = DSL.using(pool, database.dialect(), new Settings().withRenderFormatted(true));
        var table = new JobTable("jobs").create(dsl).mapped(form, new JobTable("dead"));
        Queue.of(dsl, table, "mail").enqueue("letter");
        var statements = ClaimStatements.of(dsl, new QueueRef(table, "mail", TimeSource.database()), 1);
        return String.join("\n\n", statements.texts())
                .lines()
                .map(line -> line.stripTrailing() + "\n")
                .collect(Collectors.joining());
    }
}
