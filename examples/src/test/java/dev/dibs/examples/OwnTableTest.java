package dev.dibs.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Queue;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.TestDatabase;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class OwnTableTest {

    @ParameterizedTest
    @MethodSource("databasesAndForms")
    void anApplicationsOwnTableIsAQueueInEachForm(TestDatabase database, QueueTable<String> mapping) throws Exception {
        try (var pool = database.newDatabase().pool(4)) {
            var dsl = DSL.using(pool, database.dialect());
            OwnTable.create(dsl);
            var jobs = Queue.of(dsl, mapping, "print");
            var printed = new LinkedBlockingQueue<String>();
            OwnTable.print(dsl, jobs);

            if (database.dialect() == SQLDialect.SQLITE && mapping.lockForm() == LockForm.ROW_LOCK) {
                assertThatThrownBy(() -> jobs.worker().consume(printed::add))
                        .hasMessageContaining("map leasedUntil(..)");
            } else {
                try (var worker = jobs.worker().consume(printed::add)) {
                    assertThat(List.of(next(printed), next(printed))).containsExactlyInAnyOrder("a letter", "a poster");
                }
                assertThat(dsl.fetchCount(OwnTable.PRINT_JOB)).isZero();
            }
        }
    }

    static Stream<Arguments> databasesAndForms() {
        return Stream.of(TestDatabase.postgresql(), TestDatabase.mysql(), TestDatabase.mariadb(), TestDatabase.sqlite())
                .flatMap(database -> Stream.of(OwnTable.byRowLock(), OwnTable.byLease(), OwnTable.byPrinter())
                        .map(mapping -> Arguments.of(database, mapping)));
    }

    private static String next(LinkedBlockingQueue<String> printed) throws InterruptedException {
        return String.valueOf(printed.poll(30, TimeUnit.SECONDS));
    }
}
