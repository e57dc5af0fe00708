package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.testkit.TestDatabase;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** A handler that holds the file's one write transaction. */
final class SqliteTransactTest {

    @Test
    void anEnqueueBesideTheHandlersTransactionIsRefusedAtOnceAndOneInsideItIsNot() throws Exception {
        refusedBesideTheTransaction(queue -> queue.enqueue("beside it"));
    }

    @Test
    void soIsAGroupedOneWhichWouldWaitForAnotherThreadThatWaitsForThisOne() throws Exception {
        refusedBesideTheTransaction(queue -> queue.grouped().enqueue("beside it"));
    }

    private static void refusedBesideTheTransaction(Consumer<Queue<String>> beside) throws Exception {
        try (var pool = TestDatabase.sqlite().newDatabase().pool(4)) {
            var dsl = DSL.using(pool, SQLDialect.SQLITE);
            SqliteJobs.create(dsl);
            var queue = Queue.of(dsl, SqliteJobs.TABLE, "mail");
            queue.enqueue("first");
            var refusals = new LinkedBlockingQueue<String>();

            try (var worker = queue.worker().transact((tx, delivery) -> {
                if (delivery.payload().equals("first")) {
                    refusals.add(refusal(() -> beside.accept(queue)));
                    queue.enqueue(tx, "second");
                } else {
                    refusals.add(delivery.payload());
                }
                return Outcome.done();
            })) {
                assertThat(refusals.poll(30, TimeUnit.SECONDS))
                        .contains("would wait for itself")
                        .contains("queue.enqueue(tx, ..)");
                assertThat(refusals.poll(30, TimeUnit.SECONDS)).isEqualTo("second");
            }
        }
    }

    private static String refusal(Runnable enqueue) {
        try {
            enqueue.run();
            return "not refused";
        } catch (RuntimeException refused) {
            return String.valueOf(refused.getMessage());
        }
    }
}
