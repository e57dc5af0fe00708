package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Queue;
import dev.dibs.WorkerState.Kind;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the pause of a queue promises, on every database: no claim that begins after it takes anything, in any instance.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
public abstract class PauseContract extends TableContract {

    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private WideTable table;
    private SwitchTable switches;
    private Queue<String> queue;

    /** The contract on a database, in a form. */
    protected PauseContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    @BeforeEach
    void createTables() {
        table = made();
        switches = new SwitchTable(table.getName() + "_off").create(here.dsl());
        queue = mail(pausable());
    }

    @Test
    void anotherInstancesRunningWorkerClaimsNothingOfAPausedQueueUntilItIsResumed() throws Exception {
        opened.add(mailElsewhere().worker().pollInterval(POLL).events(recorder).consume(handled::add));
        queue.enqueue("before");
        assertThat(take(handled)).isEqualTo("before");

        queue.pause();
        queue.enqueue("meanwhile");
        recorder.awaitClaimThatBeginsNow();
        recorder.awaitClaimThatBeginsNow();
        assertThat(handled).isEmpty();

        queue.resume();
        assertThat(take(handled)).isEqualTo("meanwhile");
    }

    @Test
    void theStateOfAWorkerTellsThatItsQueueIsPaused() {
        var worker = mailElsewhere().worker().consume(handled::add);
        opened.add(worker);
        assertThat(worker.state().kind()).isEqualTo(Kind.RUNNING);

        queue.pause();

        assertThat(worker.state().kind()).isEqualTo(Kind.PAUSED);
    }

    @Test
    void aResumeWakesTheWorkersOfItsProcess() throws Exception {
        queue.pause();
        queue.enqueue("waiting");
        opened.add(queue.worker()
                .pollInterval(Duration.ofHours(1))
                .events(recorder)
                .consume(handled::add));
        recorder.await("claimed");

        queue.resume();

        assertThat(take(handled)).isEqualTo("waiting");
    }

    @Test
    void aMessageInWorkIsSettledWhileItsQueueIsPaused() throws Exception {
        var paused = new CountDownLatch(1);
        opened.add(queue.worker()
                .pollInterval(POLL)
                .concurrency(1)
                .events(recorder)
                .consume(payload -> {
                    handled.add(payload);
                    paused.await();
                }));
        queue.enqueue("in work");
        take(handled);

        queue.pause();
        paused.countDown();

        recorder.await("done");
        assertThat(rows(table)).isEmpty();
    }

    @Test
    void otherQueuesOfTheTableGoOn() throws Exception {
        var parcels = here.queue(pausable(), "parcels", time);
        queue.pause();
        parcels.enqueue("box");
        opened.add(parcels.worker().consume(handled::add));

        assertThat(take(handled)).isEqualTo("box");
        assertThat(parcels.isPaused()).isFalse();
    }

    @Test
    void everyInstanceSeesThatItIsPausedAndThatItIsNotAnyMore() {
        var elsewhere = mailElsewhere();
        assertThat(elsewhere.isPaused()).isFalse();

        queue.pause();
        assertThat(elsewhere.isPaused()).isTrue();

        elsewhere.resume();
        assertThat(queue.isPaused()).isFalse();
    }

    @Test
    void aPauseTellsSinceWhenHoweverOftenItIsAskedFor() {
        var began = Micros.of(clock.instant());
        queue.pause();
        clock.advance(Duration.ofMinutes(5));
        queue.pause();

        assertThat(rows(switches)).singleElement().satisfies(row -> {
            assertThat(row.get(switches.topic)).isEqualTo("mail");
            assertThat(row.get(switches.off)).isOne();
            assertThat(row.get(switches.offSince)).isEqualTo(began);
            assertThat(row.get(switches.changedAt)).isEqualTo(began + 300_000_000);
        });

        queue.resume();
        queue.resume();
        assertThat(rows(switches)).singleElement().satisfies(row -> {
            assertThat(row.get(switches.off)).isZero();
            assertThat(row.get(switches.offSince)).isNull();
        });
    }

    @Test
    void aQueueThatWasNeverPausedIsResumedWithoutAWord() {
        queue.resume();

        assertThat(rows(switches)).isEmpty();
    }

    @Test
    void aTableThatDoesNotSayWhereAPauseIsKeptRefusesIt() {
        var plain = mail(mapped());

        assertThatThrownBy(plain::pause)
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", table.getName(), "pausedIn(..)");
        assertThatThrownBy(plain::resume).hasMessageContaining("pausedIn(..)");
        assertThat(plain.isPaused()).isFalse();
    }

    @Test
    void aWorkerIsRefusedWhereThePauseCannotBeRead() {
        var gone = mail(mapped().pausedIn(new SwitchTable("nowhere").pauses()));

        assertThatThrownBy(() -> gone.worker().consume(handled::add))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", "nowhere", "off", "pausedIn(..)");
    }

    private QueueTable<String> pausable() {
        return mapped().pausedIn(switches.pauses());
    }

    private QueueTable<String> mapped() {
        var mapped = table.mapped(form);
        return form == LockForm.ADVISORY ? mapped.lockKey(table.id) : mapped;
    }

    private Queue<String> mailElsewhere() {
        return instance().queue(pausable(), "mail", time);
    }
}
