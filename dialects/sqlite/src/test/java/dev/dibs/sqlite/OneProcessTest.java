package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Queue;
import dev.dibs.table.LockForm;
import dev.dibs.testkit.TestDatabase;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** The advisory form, whose locks on SQLite are known to one process only. */
final class OneProcessTest {

    @Test
    void aFileBelongsToTheFirstProcessUntilThatEnds() throws Exception {
        var address = TestDatabase.sqlite().newDatabase();
        try (var pool = address.pool(4)) {
            var dsl = DSL.using(pool, SQLDialect.SQLITE);
            SqliteJobs.create(dsl);
            var queue = Queue.of(dsl, SqliteJobs.LOCKED, "jobs");
            try (var other = OtherProcess.start(address.url(), LockForm.ADVISORY)) {
                assertThat(other.output().readLine()).isEqualTo("started");

                assertThatThrownBy(() -> queue.worker().consume(payload -> {}))
                        .hasMessageContaining("queue \"jobs\"")
                        .hasMessageContaining("another process works on this file")
                        .hasMessageContaining(".db.dibs-lock")
                        .hasMessageContaining("map leasedUntil(..) instead of lockKey(..)");
            }

            var handled = new CountDownLatch(1);
            try (var worker = queue.worker().consume(payload -> handled.countDown())) {
                queue.enqueue("mine now");
                assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }
}
