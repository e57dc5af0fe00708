package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.cast;
import static org.jooq.impl.DSL.countDistinct;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.generateSeries;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.time.TimeSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;

final class PostgresKeyLocksTest {

    private static final int KEYS = 300_000;

    /** C13: the whole 64 bits are used, and each table has keys of its own. */
    @Test
    void c13NoTwoOfThreeHundredThousandKeysOfTwoTablesAreOne() {
        try (var pool = TestDatabase.postgresql().newDatabase().pool(1)) {
            var dsl = DSL.using(pool, SQLDialect.POSTGRES);
            dsl.execute("create table jobs (id bigint, body text)");
            dsl.execute("create table tasks (id bigint, body text)");
            var numbers = generateSeries(1, KEYS).as("number", "n");
            var text = cast(numbers.field(0), SQLDataType.VARCHAR);
            var locks = new PostgresKeyLocks();
            var keys = DSL.select(locks.key(queue("jobs"), text).as("key"))
                    .from(numbers)
                    .unionAll(DSL.select(locks.key(queue("tasks"), text)).from(numbers))
                    .asTable("keys");

            assertThat(dsl.select(countDistinct(field(name("key"))))
                            .from(keys)
                            .fetchSingle()
                            .value1())
                    .isEqualTo(2 * KEYS);
        }
    }

    private static QueueRef queue(String table) {
        var jobs = table(name(table));
        var mapping = QueueTable.of(
                        jobs,
                        field(name(table, "id"), SQLDataType.BIGINT),
                        field(name(table, "body"), SQLDataType.CLOB))
                .lockKey();
        return new QueueRef(mapping, "jobs", TimeSource.database());
    }
}
