package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.sql.DriverManager;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is refused or warned of before a worker starts, on every database.
 *
 * <p>A dialect extends it with a class that names its database and adds its own refusals.
 */
public abstract class CheckContract {

    private static final String CREATE_ONE = "create one: ";

    final JobTable jobs = new JobTable("jobs");
    private final TestDatabase database;
    private final QueueTable<String> table = jobs.mapped(LockForm.LEASE, new JobTable("dead"));
    Address address;
    private HikariDataSource pool;

    /** The contract on a database. */
    protected CheckContract(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void createTables() {
        address = database.newDatabase();
        pool = address.pool(4);
        jobs.create(dsl());
        new JobTable("dead").create(dsl());
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void aTableThatHasAllItNeedsStartsWithoutAWarning() {
        assertThat(warningsOf(table)).isEmpty();
    }

    @Test
    void aTableWithoutAClaimIndexIsWarnedOfWithTheStatementThatMakesOne() {
        dropClaimIndex();

        var warning = theWarningOf(table);
        dsl().execute(warning.substring(warning.indexOf(CREATE_ONE) + CREATE_ONE.length()));

        assertThat(warning)
                .contains("queue \"mail\" in table")
                .contains("no index serves the claim order")
                .contains("topic", "urgency", "retry_after", "job_id");
        assertThat(warningsOf(table)).isEmpty();
    }

    @Test
    void anIndexFullOfFinishedRowsIsWarnedOfWithTheStatementThatMakesABetterOne() {
        var keeping = table.finishedAt(jobs.endedAt);
        dropClaimIndex();

        var warning = theWarningOf(keeping);
        dsl().execute(warning.substring(warning.indexOf(CREATE_ONE) + CREATE_ONE.length()));

        assertThat(warning).contains("ended_at");
        assertThat(warningsOf(keeping)).isEmpty();
    }

    @Test
    void numbersInATextColumnAreRefused() {
        var texts = altered("retry_after", SQLDataType.VARCHAR(30));

        assertRefused(queue(pool, texts))
                .hasMessageContaining("dueAt -> \"retry_after\" is text")
                .hasMessageContaining("alter it to bigint");
    }

    @Test
    void aLeaseThatCannotBeNullIsRefused() {
        var strict = altered("locked_until", SQLDataType.BIGINT.notNull());

        assertRefused(queue(pool, strict))
                .hasMessageContaining("leasedUntil -> \"locked_until\" is")
                .hasMessageContaining("not null")
                .hasMessageContaining("let it be null");
    }

    @Test
    void aSingleConnectionForAllThreadsIsRefused() throws Exception {
        try (var connection = DriverManager.getConnection(
                address.url(),
                address.settings(1).getUsername(),
                address.settings(1).getPassword())) {
            var queue = Queue.of(DSL.using(connection, address.dialect()), table, "mail");

            assertRefused(queue).hasMessageContaining("single connection").hasMessageContaining("DataSource");
        }
    }

    /** The refusal of a worker on a database that is taken for another one. */
    protected AbstractThrowableAssert<?, ? extends Throwable> assertRefused(UnaryOperator<String> pretence) {
        return assertRefused(queue(PretendingDataSource.of(pool, pretence)));
    }

    /** The refusal of a worker. */
    protected AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Queue<String> queue) {
        return assertThatThrownBy(() -> queue.worker().consume(payload -> {}))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("queue \"mail\" in table");
    }

    /** Starts a worker on a database that is taken for another one, and ends it. */
    protected void assertServes(UnaryOperator<String> pretence) {
        start(queue(PretendingDataSource.of(pool, pretence)));
    }

    /** Where the test's database is. */
    protected Address address() {
        return address;
    }

    /** A queue in the test's table, on connections of the caller. */
    protected Queue<String> queue(DataSource connections) {
        return queue(connections, table);
    }

    /** A queue in a table with such a name, which is not there. */
    protected Queue<String> queueInTable(String name) {
        return queue(pool, new JobTable(name).mapped(LockForm.LEASE, new JobTable("dead")));
    }

    Queue<String> queue(DataSource connections, QueueTable<String> of) {
        return Queue.of(DSL.using(connections, address.dialect()), of, "mail");
    }

    HikariDataSource pool() {
        return pool;
    }

    DSLContext dsl() {
        return DSL.using(pool, address.dialect());
    }

    /** The same mapping on a table where one column has another type. */
    QueueTable<String> altered(String column, DataType<?> type) {
        var altered = new JobTable("altered");
        var columns = altered.fieldStream()
                .map(field -> field.getName().equals(column) ? DSL.field(DSL.name(column), type) : field)
                .toList();
        dsl().createTable(altered).columns(columns).primaryKey(altered.jobId).execute();
        return altered.mapped(LockForm.LEASE, new JobTable("dead"));
    }

    List<String> warningsOf(QueueTable<String> of) {
        try (var warnings = new Warnings()) {
            start(queue(pool, of));
            return warnings.all();
        }
    }

    private static void start(Queue<String> queue) {
        queue.worker().consume(payload -> {}).close();
    }

    private String theWarningOf(QueueTable<String> of) {
        var warnings = warningsOf(of);
        assertThat(warnings).hasSize(1);
        return warnings.get(0);
    }

    private void dropClaimIndex() {
        var onTable = switch (address.dialect()) {
            case MYSQL, MARIADB -> " on jobs";
            default -> "";
        };
        dsl().execute("drop index jobs_claim" + onTable);
    }
}
