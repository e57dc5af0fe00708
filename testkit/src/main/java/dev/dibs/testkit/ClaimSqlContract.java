package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Shows the statements of a claim as the database gets them.
 *
 * <p>Another version of jOOQ may write them otherwise and as well; the tag lets a build leave these tests out.
 */
@Tag("pinned-sql")
public abstract class ClaimSqlContract {

    private final JobTable jobs = new JobTable("jobs");
    private final SwitchTable switches = new SwitchTable("switches");
    private final TestDatabase database;
    private HikariDataSource pool;

    /** The contract on a database. */
    protected ClaimSqlContract(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void openPool() {
        pool = database.newDatabase().pool(2);
        switches.create(DSL.using(pool, database.dialect()));
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    /** Each claim of one row of the queue "mail", with an empty line between two statements. */
    @Test
    void everyClaimIsTheSqlThatIsWrittenDown() throws IOException {
        var rendered = new StringBuilder();
        for (var claim : claims().entrySet()) {
            rendered.append("-- %s\n\n%s\n".formatted(claim.getKey(), rendered(claim.getValue())));
        }
        var file = "%s-claims.sql".formatted(database);
        Files.writeString(
                Files.createDirectories(Path.of("target")).resolve(file), rendered); // to look at, and to copy

        assertThat(rendered.toString()).isEqualTo(Files.readString(Path.of("src", "test", "resources", file)));
    }

    private Map<String, UnaryOperator<QueueTable<String>>> claims() {
        var claims = new LinkedHashMap<String, UnaryOperator<QueueTable<String>>>();
        claims.put("lease", table -> table.leasedUntil(jobs.lockedUntil).leaseToken(jobs.claimToken));
        claims.put(
                "lease, of queues that can be paused",
                table -> table.leasedUntil(jobs.lockedUntil)
                        .leaseToken(jobs.claimToken)
                        .pausedIn(switches.pauses()));
        claims.put(
                "lease, ordered by a key",
                table -> table.leasedUntil(jobs.lockedUntil)
                        .leaseToken(jobs.claimToken)
                        .orderKey(jobs.account));
        if (database.dialect() != SQLDialect.SQLITE) {
            claims.put("row lock", table -> table);
            claims.put("row lock, ordered by a key", table -> table.orderKey(jobs.account));
        }
        claims.put("advisory", table -> table.lockKey(jobs.account));
        return claims;
    }

    private String rendered(UnaryOperator<QueueTable<String>> form) {
        var dsl = DSL.using(pool, database.dialect(), new Settings().withRenderFormatted(true));
        dsl.dropTableIfExists(jobs).execute();
        var table = form.apply(jobs.create(dsl).mapped(LockForm.ROW_LOCK, new JobTable("dead")));
        Queue.of(dsl, table, "mail").enqueue("letter");
        var statements = ClaimStatements.of(dsl, new QueueRef(table, "mail", TimeSource.database()), 1);
        return String.join("\n\n", statements.texts())
                .lines()
                .map(line -> line.stripTrailing() + "\n")
                .collect(Collectors.joining());
    }
}
