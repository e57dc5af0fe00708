package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Queue;
import dev.dibs.QueueEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A constraint that is deferred refuses when a transaction commits, and does not say of which row. */
final class PostgresCommitTest {

    private static final String REFUSES_AT_COMMIT = """
            create function refuse() returns trigger language plpgsql as
            $$ begin raise exception 'not this one' using errcode = 'integrity_constraint_violation'; end $$;
            create constraint trigger refuses after delete on jobs deferrable initially deferred
            for each row when (old.body = 'refused') execute function refuse()""";

    @Test
    @SuppressWarnings("try") // the worker works until it is closed
    void aMessageWhoseSettlementTheCommitRefusesDoesNotKeepItsBatchFromBeingSettled() throws Exception {
        try (var jobs = Jobs.create(6)) {
            jobs.dsl().execute(REFUSES_AT_COMMIT);
            var settled = new LinkedBlockingQueue<String>();
            var queue = Queue.of(jobs.dsl(), Jobs.MAPPING, "jobs");
            queue.enqueueAll(List.of("one", "refused", "two"));

            try (var worker = queue.worker()
                    .events(new QueueEvents() {
                        @Override
                        public void done(String name, Object id, Duration handling) {
                            settled.add("done");
                        }

                        @Override
                        public void settlementFailed(String name, Object id, Throwable failure) {
                            settled.add("failed");
                        }
                    })
                    .consumeAll(3, payloads -> {})) {
                for (int message = 0; message < 3; message++) {
                    assertThat(settled.poll(60, TimeUnit.SECONDS)).isNotNull();
                }
            }

            assertThat(jobs.dsl().select(Jobs.BODY).from(Jobs.TABLE).fetch(Jobs.BODY))
                    .containsExactly("refused");
        }
    }
}
