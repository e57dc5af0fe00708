package dev.dibs.wake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class SignalTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final Signal signal = new Signal();

    @Test
    void aWaitWithoutAWakeEndsWithItsTimeout() throws InterruptedException {
        assertThat(signal.await(Duration.ofMillis(1))).isFalse();
    }

    @Test
    @Timeout(10)
    void aWakeThatComesWhileNobodyWaitsEndsTheNextWaitAtOnce() throws InterruptedException {
        signal.wake();

        assertThat(signal.await(LONG)).isTrue();
    }

    @Test
    void manyWakesAreOne() throws InterruptedException {
        for (int wake = 0; wake < 1_000; wake++) {
            signal.wake();
        }

        assertThat(signal.await(Duration.ZERO)).isTrue();
        assertThat(signal.await(Duration.ZERO)).isFalse();
    }

    @Test
    @Timeout(10)
    void aWakeAfterAWaitEndsTheWaitAfterIt() throws InterruptedException {
        signal.wake();
        signal.await(LONG);

        signal.wake();

        assertThat(signal.await(LONG)).isTrue();
    }

    @Test
    void aWaitThatNobodyEndedLeavesNothingBehind() throws InterruptedException {
        signal.await(Duration.ofMillis(1));

        assertThat(signal.await(Duration.ZERO)).isFalse();
    }

    @Test
    void aWaitUnderWayIsEndedByAWakeOfAnotherThread()
            throws InterruptedException, ExecutionException, TimeoutException {
        var woken = new CompletableFuture<Boolean>();
        var sleeper = new Thread(() -> {
            try {
                woken.complete(signal.await(LONG));
            } catch (InterruptedException interrupted) {
                woken.completeExceptionally(interrupted);
            }
        });
        sleeper.start();

        signal.wake();

        assertThat(woken.get(10, TimeUnit.SECONDS)).isTrue();
        sleeper.join();
    }

    @Test
    void anInterruptEndsAWait() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> signal.await(LONG)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aTimeoutMayBeAsLongAsADurationCanBe() throws InterruptedException {
        signal.wake();

        assertThat(signal.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    }
}
