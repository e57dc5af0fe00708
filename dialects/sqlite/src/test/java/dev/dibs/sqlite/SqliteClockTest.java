package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.OrderPolicy;
import dev.dibs.time.Now;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.Function;

/** SQLite's clock goes on between the rows of a statement. */
final class SqliteClockTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aMessageThatBecomesDueWhileAClaimReadsIsNotTakenBesideOneThatStandsBehindItByItsKey(int due) throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            Function.create(connection, "ticks", new Ticks());
            var ticks = field("ticks()", SQLDataType.BIGINT);
            var table = SqliteJobs.TABLE
                    .priority(field(name("jobs", "urgency"), SQLDataType.INTEGER))
                    .dueAt(field(name("jobs", "due"), SQLDataType.BIGINT))
                    .orderKey(field(name("jobs", "account"), SQLDataType.CLOB), OrderPolicy.OVERTAKE);
            var queue = new QueueRef(table, "jobs", () -> new Now(ticks, ticks));
            var dsl = DSL.using(connection, SQLDialect.SQLITE);
            dsl.execute("create table jobs (id integer primary key, body text, held_until integer,"
                    + " urgency integer not null, due integer not null, account text)");
            dsl.execute("insert into jobs values (1, 'soon', null, 2, ?, 'a'), (2, 'now', null, 1, 0, 'a')", due);

            var claimed = new SqliteDialect()
                    .claim(queue)
                    .claim(ClaimRequest.of(dsl, queue, 10, Duration.ofMinutes(1)))
                    .orElseThrow();

            assertThat(claimed.rows()).hasSize(1);
        }
    }

    /** A clock that goes on each time that it is read. */
    private static final class Ticks extends Function {

        private int ticks;

        @Override
        protected void xFunc() throws SQLException {
            result(++ticks);
        }
    }
}
