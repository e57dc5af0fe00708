package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.Signals;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.wake.WakeAfterCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What those promise who wait for a key, on every database. */
@Timeout(120)
public abstract class SignalsContract extends TableContract {

    static final Duration LONG = Duration.ofDays(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicReference<String> written = new AtomicReference<>();
    private final AtomicInteger looks = new AtomicInteger();
    private DSLContext wired;
    private Signals signals;

    /** The contract on a database. */
    protected SignalsContract(TestDatabase database) {
        super(database, LockForm.LEASE);
    }

    @BeforeEach
    void makeSignals() {
        wired = DSL.using(
                new DefaultConfiguration().set(here.pool()).set(dialect()).set(new WakeAfterCommit()));
        signals = Signals.of(wired, "orders");
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void whatIsThereIsFoundWithoutAWait() throws Exception {
        written.set("there");

        assertThat(signals.await("order 1", this::look, LONG)).contains("there");
        assertThat(looks).hasValue(1);
    }

    @Test
    void aSignalEndsTheWait() throws Exception {
        var waiting = waiting("order 1");

        write("signalled");
        signals.signal("order 1");

        assertThat(result(waiting)).contains("signalled");
    }

    @Test
    void aSignalThatComesBetweenTheLookAndTheWaitIsKept() throws Exception {
        var found = signals.await(
                "order 1",
                () -> {
                    var seen = look();
                    write("just after the look");
                    signals.signal("order 1");
                    return seen;
                },
                LONG);

        assertThat(found).contains("just after the look");
        assertThat(looks).hasValue(2);
    }

    @Test
    void aSignalEndsTheWaitsOfAll() throws Exception {
        var waiting = new ArrayList<Future<Optional<String>>>();
        for (int waiter = 0; waiter < 5; waiter++) {
            waiting.add(waiting("order 1"));
        }

        write("for all");
        signals.signal("order 1");

        for (var each : waiting) {
            assertThat(result(each)).contains("for all");
        }
    }

    @Test
    void whoWaitsLooksNowAndThenWithoutASignal() throws Exception {
        var waiting = waiting("order 1");

        write("told to nobody");

        assertThat(result(waiting)).contains("told to nobody");
    }

    @Test
    void aWaitEndsWithItsTimeout() throws Exception {
        assertThat(signals.await("order 1", this::look, Duration.ofMillis(50))).isEmpty();
        assertThat(looks).hasValueGreaterThan(1);
    }

    @Test
    void withoutATimeoutThereIsOneLook() throws Exception {
        assertThat(signals.await("order 1", this::look, Duration.ZERO)).isEmpty();
        assertThat(looks).hasValue(1);
    }

    @Test
    void anInterruptEndsTheWait() {
        var waiting = threads.submit((Callable<Optional<String>>) () -> {
            Thread.currentThread().interrupt();
            return signals.await("order 1", this::look, LONG);
        });

        assertThatThrownBy(() -> result(waiting))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void whatALookThrowsEndsTheWait() {
        assertThatThrownBy(() -> signals.await(
                        "order 1",
                        () -> {
                            throw new IllegalStateException("no such order");
                        },
                        LONG))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no such order");
    }

    @Test
    void aTransactionThatCommitsSignals() throws Exception {
        var waiting = waiting("order 1");

        wired.transaction(tx -> {
            signals.signal(tx, "order 1");
            write("with the commit");
        });

        assertThat(result(waiting)).contains("with the commit");
    }

    @Test
    void aTransactionOfWhoseCommitNothingTellsIsRefused() {
        assertThatThrownBy(() -> here.dsl().transaction(tx -> signals.signal(tx, "order 1")))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("signals \"orders\"", "WakeAfterCommit", "\"order 1\"");
    }

    @Test
    void anEmptyKeyIsRefused() {
        assertThatThrownBy(() -> signals.signal(""))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("signals \"orders\"", "key");
    }

    @Test
    void aBlankNameIsRefused() {
        assertThatThrownBy(() -> Signals.of(wired, " "))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("not blank");
    }

    /** Waits, on a thread of its own, and has looked once when this returns. */
    Future<Optional<String>> waiting(String key) throws InterruptedException {
        var hasLooked = new CountDownLatch(1);
        var waiting = threads.submit((Callable<Optional<String>>) () -> signals.await(
                key,
                () -> {
                    var seen = look();
                    hasLooked.countDown();
                    return seen;
                },
                LONG));
        hasLooked.await();
        return waiting;
    }

    void write(String what) {
        written.set(what);
    }

    private Optional<String> look() {
        looks.incrementAndGet();
        return Optional.ofNullable(written.get());
    }

    static <T> T result(Future<T> waiting) throws ExecutionException, InterruptedException, TimeoutException {
        return waiting.get(Recorder.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
