package dev.dibs.mysql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.time.TimeFields;
import dev.dibs.time.TimeSource;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MysqlTimesTest {

    private static final String OTHER_THAN_MAPPED = "map a DATETIME as LOCALDATETIME(digits)";

    private @Nullable HikariDataSource pool;

    static Stream<TestDatabase> databases() {
        return Stream.of(TestDatabase.mysql(), TestDatabase.mariadb());
    }

    @AfterEach
    void close() {
        if (pool != null) {
            pool.close();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aTimestampIsNotTakenForADatetime(TestDatabase database) {
        var dsl = table(database, "timestamp(6) null");

        assertThatThrownBy(() -> check(dsl, due(SQLDataType.LOCALDATETIME(6))))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("queue \"jobs\" in table \"jobs\"")
                .hasMessageContaining("is a TIMESTAMP with 6")
                .hasMessageContaining(OTHER_THAN_MAPPED);
        assertThatCode(() -> check(dsl, TimeFields.timestamp(due(SQLDataType.LOCALDATETIME(6)))))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aDatetimeIsNotTakenForATimestamp(TestDatabase database) {
        var dsl = table(database, "datetime(6)");

        assertThatThrownBy(() -> check(dsl, TimeFields.timestamp(due(SQLDataType.LOCALDATETIME(6)))))
                .hasMessageContaining("is a DATETIME with 6");
        assertThatCode(() -> check(dsl, due(SQLDataType.LOCALDATETIME(6)))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aColumnOfFewerDigitsThanMappedWouldRound(TestDatabase database) {
        var dsl = table(database, "datetime");

        assertThatThrownBy(() -> check(dsl, due(SQLDataType.LOCALDATETIME(6))))
                .hasMessageContaining("with 6 digits, and is a DATETIME with 0");
        assertThatCode(() -> check(dsl, due(SQLDataType.LOCALDATETIME(0)))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aNumberIsNotTakenForADatetimeNorTheOtherWayRound(TestDatabase database) {
        var numbers = table(database, "bigint");

        assertThatThrownBy(() -> check(numbers, due(SQLDataType.LOCALDATETIME(0))))
                .hasMessageContaining("is a BIGINT");
        assertThatCode(() -> check(numbers, due(SQLDataType.BIGINT))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aPrecisionThatIsNotToldIsRefused(TestDatabase database) {
        var dsl = DSL.using(database.dialect());

        assertThatThrownBy(() -> Queue.of(dsl, mapped(due(SQLDataType.LOCALDATETIME)), "jobs"))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("does not tell how many digits its seconds have")
                .hasMessageContaining("LOCALDATETIME(6) for datetime(6)");
    }

    private DSLContext table(TestDatabase database, String type) {
        pool = database.newDatabase().pool(2);
        var dsl = DSL.using(pool, database.dialect());
        dsl.execute("create table jobs (id bigint auto_increment primary key, body text, due %s)".formatted(type));
        return dsl;
    }

    private static Field<?> due(DataType<?> type) {
        return field(name("jobs", "due"), type);
    }

    private static QueueTable<String> mapped(Field<?> due) {
        return QueueTable.of(
                        DSL.table(name("jobs")),
                        field(name("jobs", "id"), SQLDataType.BIGINT),
                        field(name("jobs", "body"), SQLDataType.CLOB))
                .dueAt(due);
    }

    private static void check(DSLContext dsl, Field<?> due) {
        new MysqlDialect().check(dsl, new QueueRef(mapped(due), "jobs", TimeSource.database()));
    }
}
