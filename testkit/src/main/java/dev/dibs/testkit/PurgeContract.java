package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Micros;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.Delete;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.impl.DefaultExecuteListenerProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a purge promises, on every database: old finished rows go in small transactions, and nobody waits.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
public abstract class PurgeContract extends TableContract {

    private static final Duration HOUR = Duration.ofHours(1);

    private WideTable table;
    private Queue<String> queue;

    /** The contract on a database, in a form. */
    protected PurgeContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @BeforeEach
    void createTable() {
        table = made();
        queue = mail(keeping());
    }

    /** C31: only what is finished for long enough goes. */
    @Test
    void c31OldFinishedRowsGoAndAllOthersStay() {
        finished(2, "mail", clock.instant().minus(HOUR));
        finished(1, "parcels", clock.instant().minus(HOUR));
        finished(1, "mail", clock.instant().minus(HOUR).plusMillis(1));
        queue.enqueue("alive");

        assertThat(queue.purge(HOUR)).isEqualTo(2);

        assertThat(rows(table)).hasSize(3);
    }

    @Test
    void deadLettersThatAreKeptInPlaceStayUntilTheyArePurgedThemselves() throws Exception {
        queue.enqueue("hopeless");
        var worker = queue.worker().events(recorder).handle(delivery -> Outcome.reject("no such mailbox"));
        recorder.await("deadLettered");
        worker.close();
        clock.advance(HOUR);

        assertThat(queue.purge(HOUR)).isZero();
        assertThat(queue.deadLetters().purge(HOUR)).isOne();
        assertThat(rows(table)).isEmpty();
    }

    /** C31: small transactions, so that one that fails takes little along. */
    @Test
    void c31ManyRowsGoInTransactionsOfAThousand() {
        var deletes = new AtomicInteger();
        var counting = here.dsl().configuration().derive(new DefaultExecuteListenerProvider(counting(deletes)));
        finished(2_500, "mail", clock.instant().minus(HOUR));

        assertThat(Queue.builder(counting.dsl(), keeping(), "mail")
                        .time(time)
                        .build()
                        .purge(HOUR))
                .isEqualTo(2_500);

        assertThat(deletes).hasValue(3);
        assertThat(rows(table)).isEmpty();
    }

    /** C31: two instances purge at the same time. */
    @Test
    void c31TwoPurgesAtOnceDeleteEachRowOnce() throws Exception {
        finished(3_000, "mail", clock.instant().minus(HOUR));
        var elsewhere = instance().queue(keeping(), "mail", time);

        var purged = atOnce(List.of(() -> queue.purge(HOUR), () -> elsewhere.purge(HOUR)));

        var passedOver = queue.purge(HOUR); // what each of them found locked by the other
        assertThat(purged.stream().mapToInt(Integer::intValue).sum() + passedOver)
                .isEqualTo(3_000);
        assertThat(rows(table)).isEmpty();
    }

    /** C31: workers do not notice. */
    @Test
    void c31BesideBusyWorkersNothingFailsAndOnlyFinishedRowsGo() throws Exception {
        var messages = 300;
        finished(2_000, "mail", clock.instant().minus(HOUR));
        queue.enqueueAll(IntStream.range(0, messages).mapToObj(n -> "m" + n).toList());
        var worker = queue.worker()
                .concurrency(4)
                .pollInterval(POLL)
                .events(recorder)
                .consume(payload -> {});
        opened.add(worker);

        var purged = atOnce(List.of(this::purgedTenTimes, this::purgedTenTimes));
        recorder.awaitSettled(messages);
        worker.close(); // a claim that looks for more locks rows for a moment, which a purge passes over

        assertThat(recorder.done())
                .hasSize(messages)
                .allSatisfy((id, times) -> assertThat(times).isOne());
        assertThat(purged.stream().mapToInt(Integer::intValue).sum() + queue.purge(Duration.ZERO))
                .isEqualTo(2_000 + messages);
        assertThat(rows(table)).isEmpty();
    }

    /** For databases that can pass over what others hold. */
    protected void aRowThatSomebodyElseHoldsIsPassedOverAndNotWaitedFor() {
        finished(3, "mail", clock.instant().minus(HOUR));
        here.dsl().transaction(tx -> {
            tx.dsl()
                    .select(table.id)
                    .from(table)
                    .orderBy(table.id)
                    .limit(1)
                    .forUpdate()
                    .fetch();

            assertThat(queue.purge(HOUR)).isEqualTo(2);
        });

        assertThat(queue.purge(HOUR)).isOne();
    }

    @Test
    void aTableThatKeepsNoFinishedRowsRefusesToBePurged() {
        assertThatThrownBy(() -> mail(table.mapped(form)).purge(HOUR))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", table.getName(), "finishedAt(..)");
    }

    @Test
    void anAgeBelowZeroIsRefused() {
        assertThatThrownBy(() -> queue.purge(HOUR.negated()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("queue \"mail\"", "PT-1H");
    }

    private QueueTable<String> keeping() {
        return table.mapped(form).finishedAt(table.endedAt);
    }

    private int purgedTenTimes() {
        return IntStream.range(0, 10).map(time -> queue.purge(Duration.ZERO)).sum();
    }

    /** Writes rows as they are after their messages were done. */
    private void finished(int rows, String topic, Instant at) {
        for (int written = 0; written < rows; written += 500) {
            var insert = here.dsl().insertInto(table, table.body, table.topic, table.retryAfter, table.endedAt);
            for (int number = written; number < Math.min(rows, written + 500); number++) {
                insert = insert.values("m" + number, topic, Micros.of(at), Micros.of(at));
            }
            insert.execute();
        }
    }

    private static ExecuteListener counting(AtomicInteger deletes) {
        return new ExecuteListener() {

            private static final long serialVersionUID = 1L;

            @Override
            public void executeStart(ExecuteContext context) {
                if (context.query() instanceof Delete) {
                    deletes.incrementAndGet();
                }
            }
        };
    }

    private List<Integer> atOnce(List<Callable<Integer>> tasks) throws Exception {
        var threads = Executors.newFixedThreadPool(tasks.size());
        opened.add(threads::shutdownNow);
        var results = new ArrayList<Integer>();
        for (var done : threads.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
            results.add(done.get());
        }
        return results;
    }
}
