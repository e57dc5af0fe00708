package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Micros;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkerBuilderTest {

    private static final EmailJobs JOBS = new EmailJobs();
    private static final EmailJobs DEAD = new EmailJobs("email_jobs_dead");

    private final QueueTable<String> bare = QueueTable.of(JOBS, JOBS.id, JOBS.payload);
    private final QueueTable<String> counting = bare.attempt(JOBS.attempt);
    private final WorkerBuilder<String> builder = worker(bare);

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aConcurrencyBelowOneIsRefused(int handlers) {
        assertThatThrownBy(() -> builder.concurrency(handlers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("queue \"emails\" in table \"email_jobs\": concurrency is %d; it is at least 1", handlers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT-24H"})
    void aPollIntervalThatIsNoTimeIsRefused(Duration interval) {
        assertThatThrownBy(() -> builder.pollInterval(interval))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "queue \"emails\" in table \"email_jobs\": the poll interval is %s; it is more than zero and"
                                + " at most PT876600H",
                        interval);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT876600H0.000000001S"})
    void aLeaseThatIsNoTimeOrTooLongIsRefused(Duration lease) {
        assertThatThrownBy(() -> builder.lease(lease))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "queue \"emails\" in table \"email_jobs\": the lease is %s; it is more than zero and at most"
                                + " PT876600H",
                        lease);
    }

    @Test
    void theLongestLeaseIsAccepted() {
        assertThat(builder.lease(Micros.LONGEST)).isSameAs(builder);
    }

    @Test
    void aNegativeShutdownDeadlineIsRefused() {
        assertThatThrownBy(() -> builder.shutdownDeadline(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("queue \"emails\" in table \"email_jobs\": the shutdown deadline is PT-0.000000001S; it is"
                        + " zero or more and at most PT876600H");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0009S", "PT24H0.001S"})
    void anAnswerTimeoutThatNoDriverCouldKeepIsRefused(Duration timeout) {
        assertThatThrownBy(() -> builder.answerTimeout(timeout))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "queue \"emails\" in table \"email_jobs\": the answer timeout is %s; it is at least a millisecond and at most PT24H"
                                .formatted(timeout));
    }

    @Test
    void aShutdownWithoutWaitingIsAccepted() {
        assertThat(builder.shutdownDeadline(Duration.ZERO)).isSameAs(builder);
    }

    @Test
    void aRetryLimitIsRefusedWhereNothingCountsAttempts() {
        var worker = worker(bare.deadLetters(QueueTable.of(DEAD, DEAD.id, DEAD.payload)));

        assertThatThrownBy(() -> worker.retry(RetryPolicy.ofDefaults().attempts(3)))
                .isInstanceOf(QueueException.class)
                .hasMessage("queue \"emails\" in table \"email_jobs\": a limit of 3 deliveries was asked for, but the"
                        + " table does not count attempts; map the missing column, or use withoutLimit()");
    }

    @Test
    void aRetryLimitIsRefusedWhereDeadMessagesHaveNoPlace() {
        var worker = worker(counting);

        assertThatThrownBy(() -> worker.retry(RetryPolicy.ofDefaults()))
                .isInstanceOf(QueueException.class)
                .hasMessage("queue \"emails\" in table \"email_jobs\": a limit of 25 deliveries was asked for, but the"
                        + " table has no place for dead messages (deadLetters, deadQueue, or finishedAt and"
                        + " error); map the missing column, or use withoutLimit()");
    }

    @Test
    void aRetryLimitIsAcceptedWithASecondTable() {
        var worker = worker(counting.deadLetters(QueueTable.of(DEAD, DEAD.id, DEAD.payload)));

        assertThat(worker.retry(RetryPolicy.ofDefaults())).isSameAs(worker);
    }

    @Test
    void aRetryLimitIsAcceptedWithADeadQueue() {
        var worker = worker(counting.queue(JOBS.queue).deadQueue("dead emails"));

        assertThat(worker.retry(RetryPolicy.ofDefaults())).isSameAs(worker);
    }

    @Test
    void aRetryLimitIsAcceptedWhereDeadMessagesAreKeptInPlace() {
        var worker = worker(counting.finishedAt(JOBS.finishedAt).error(JOBS.error));

        assertThat(worker.retry(RetryPolicy.ofDefaults())).isSameAs(worker);
    }

    @Test
    void retriesWithoutLimitAreAcceptedByEveryTable() {
        assertThat(builder.retry(RetryPolicy.ofDefaults().withoutLimit())).isSameAs(builder);
    }

    @Test
    void everySetterGivesTheBuilderBack() {
        assertThat(builder.concurrency(8)
                        .pollInterval(Duration.ofMillis(250))
                        .lease(Duration.ofMinutes(1))
                        .shutdownDeadline(Duration.ofSeconds(5))
                        .events(new QueueEvents() {})
                        .closeOnShutdown())
                .isSameAs(builder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT876600H0.000000001S", "PT2562047788015215H30M7.999999999S"})
    void aPollIntervalBeyondTheLongestDurationIsRefused(Duration interval) {
        assertThatThrownBy(() -> builder.pollInterval(interval))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the poll interval is %s", interval);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT876600H0.000000001S", "PT2562047788015215H30M7.999999999S"})
    void aShutdownDeadlineBeyondTheLongestDurationIsRefused(Duration deadline) {
        assertThatThrownBy(() -> builder.shutdownDeadline(deadline))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the shutdown deadline is %s", deadline);
    }

    private static WorkerBuilder<String> worker(QueueTable<String> table) {
        return NoDatabase.queue(table, "emails").worker();
    }
}
