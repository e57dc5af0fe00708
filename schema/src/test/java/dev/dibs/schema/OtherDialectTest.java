package dev.dibs.schema;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Queue;
import dev.dibs.table.QueueException;
import dev.dibs.testkit.TestDatabase;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** C32: a DSLContext that says another database than the one that is there. */
final class OtherDialectTest {

    private static final List<TestDatabase> DATABASES =
            List.of(TestDatabase.postgresql(), TestDatabase.mysql(), TestDatabase.mariadb(), TestDatabase.sqlite());

    @ParameterizedTest
    @MethodSource("pairs")
    void c32ADialectOfAnotherDatabaseIsRefusedWithTheRemedy(TestDatabase database, SQLDialect other) {
        try (var pool = database.newDatabase().pool(2)) {
            QueueSchema.migrate(pool);
            var queue = Queue.of(DSL.using(pool, other), ManagedQueue.ofText(), "mail");

            assertThatThrownBy(() -> queue.worker().consume(payload -> {}))
                    .isInstanceOf(QueueException.class)
                    .hasMessageContaining("queue \"mail\" in table")
                    .hasMessageContaining("the DSLContext says " + other)
                    .hasMessageContaining("give the DSLContext");
        }
    }

    static Stream<Arguments> pairs() {
        return DATABASES.stream()
                .flatMap(database -> DATABASES.stream()
                        .filter(other -> other.dialect() != database.dialect())
                        .map(other -> Arguments.of(database, other.dialect())));
    }
}
