package dev.dibs.wake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PushWindowTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String name = "push-window-" + UUID.randomUUID();
    private final BlockingQueue<Pushed> pushed = new LinkedBlockingQueue<>();
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void endPushesThatHang() {
        letGo.countDown();
    }

    @Test
    void theFirstPayloadAfterAQuietTimeIsPushedAtOnce() throws InterruptedException {
        var window = open(LONG);

        window.add("mail", "one");

        assertThat(pushed.take()).isEqualTo(new Pushed("mail", "one"));
        window.close();
    }

    @Test
    void theFirstPayloadAfterAWindowInWhichNothingCameIsPushedAtOnceToo() throws InterruptedException {
        var window = open(SHORT);
        window.add("mail", "one");
        pushed.take();
        awaitIdle();

        window.add("mail", "two");

        assertThat(pushed.take()).isEqualTo(new Pushed("mail", "two"));
        window.close();
    }

    @Test
    void payloadsOfOneWindowArePushedTogetherAtItsEnd() throws InterruptedException {
        var window = open(LONG);
        window.add("mail", "opens it");
        pushed.take();

        window.add("mail", "one");
        window.add("mail", "two");
        assertThat(pushed).isEmpty();
        window.close();

        assertThat(pushed).containsExactly(new Pushed("mail", "one", "two"));
    }

    @Test
    void whatCameInAWindowIsPushedWithoutAnotherPayload() throws InterruptedException {
        var window = open(Duration.ofMillis(50));
        window.add("mail", "opens it");
        pushed.take();

        window.add("mail", "rides along");

        assertThat(pushed.take()).isEqualTo(new Pushed("mail", "rides along"));
        window.close();
    }

    @Test
    void aPayloadThatIsRepeatedInAWindowIsPushedOnce() throws InterruptedException {
        var window = open(LONG);
        window.add("mail", "opens it");
        pushed.take();

        for (int time = 0; time < 100; time++) {
            window.add("mail", "same");
        }
        window.close();

        assertThat(pushed).containsExactly(new Pushed("mail", "same"));
    }

    @Test
    void eachChannelHasAPushOfItsOwn() throws InterruptedException {
        var window = open(LONG);
        window.add("mail", "opens it");
        pushed.take();

        window.add("mail", "one");
        window.add("tasks", "two");
        window.add("mail", "three");
        window.close();

        assertThat(pushed).containsExactly(new Pushed("mail", "one", "three"), new Pushed("tasks", "two"));
    }

    @Test
    void withoutAWindowEachPayloadIsPushedByItself() throws InterruptedException {
        var reached = new CountDownLatch(1);
        var window = PushWindow.open(name, Duration.ZERO, (channel, payloads) -> {
            reached.countDown();
            hang();
            pushed.add(new Pushed(channel, payloads));
        });
        window.add("mail", "one");
        reached.await();
        window.add("mail", "two");
        window.add("mail", "three");

        letGo.countDown();
        window.close();

        assertThat(pushed)
                .containsExactly(new Pushed("mail", "one"), new Pushed("mail", "two"), new Pushed("mail", "three"));
    }

    @Test
    void withoutAWindowARepeatThatComesAfterThePushIsPushedToo() throws InterruptedException {
        var window = open(Duration.ZERO);
        for (int time = 0; time < 3; time++) {
            window.add("mail", "same");

            assertThat(pushed.take()).isEqualTo(new Pushed("mail", "same"));
        }
        window.close();
    }

    @Test
    void aPushThatFailsIsDroppedAndHarmsNoOtherChannel() throws InterruptedException {
        var window = PushWindow.open(name, LONG, (channel, payloads) -> {
            pushed.add(new Pushed(channel, payloads));
            if (payloads.contains("bad")) {
                throw new AssertionError("even an error");
            }
        });
        window.add("mail", "bad");
        pushed.take();

        window.add("mail", "bad");
        window.add("mail", "with a bad one");
        window.add("tasks", "good");
        window.close();

        assertThat(pushed).containsExactly(new Pushed("mail", "bad", "with a bad one"), new Pushed("tasks", "good"));
    }

    @Test
    void aChannelWhosePushFailedIsPushedToAgain() throws InterruptedException {
        var window = PushWindow.open(name, SHORT, (channel, payloads) -> {
            pushed.add(new Pushed(channel, payloads));
            if (payloads.contains("bad")) {
                throw new IllegalStateException("refused");
            }
        });
        window.add("mail", "bad");
        pushed.take();

        window.add("mail", "good");

        assertThat(pushed.take()).isEqualTo(new Pushed("mail", "good"));
        window.close();
    }

    @Test
    void addingDoesNotWaitForAPushThatHangs() throws InterruptedException {
        var window = PushWindow.open(name, SHORT, (channel, payloads) -> {
            pushed.add(new Pushed(channel, payloads));
            hang();
        });
        window.add("mail", "hangs");
        pushed.take();

        for (int payload = 0; payload <= PushWindow.MOST_WAITING; payload++) {
            window.add("mail", Integer.toString(payload));
        }
        letGo.countDown();
        window.close();

        assertThat(pushed.take().payloads())
                .as("memory is bounded")
                .hasSize(PushWindow.MOST_WAITING)
                .contains("0")
                .doesNotContain(Integer.toString(PushWindow.MOST_WAITING));
    }

    @Test
    void whileThereIsNothingToPushTheThreadWaitsWithoutATimeLimit() throws InterruptedException {
        var window = open(SHORT);
        awaitIdle();

        window.add("mail", "one");
        pushed.take();

        awaitIdle();
        assertThat(pushed).isEmpty();
        window.close();
    }

    @Test
    void itsThreadKeepsNoProcessAlive() {
        var window = open(LONG);

        assertThat(thread().isDaemon()).isTrue();
        window.close();
    }

    @Test
    void anInterruptOfItsThreadMeansNothing() throws InterruptedException {
        var interrupted = new LinkedBlockingQueue<Boolean>();
        var window = PushWindow.open(
                name,
                LONG,
                (channel, payloads) -> interrupted.add(Thread.currentThread().isInterrupted()));
        awaitIdle();
        thread().interrupt();

        window.add("mail", "one");

        assertThat(interrupted.take()).isFalse();
        window.close();
    }

    @Test
    void aCloseEndsTheWindowAndPushesWhatWaits() throws InterruptedException {
        var window = open(LONG);
        window.add("mail", "opens it");
        pushed.take();
        window.add("mail", "waits");

        window.close();

        assertThat(pushed).containsExactly(new Pushed("mail", "waits"));
    }

    @Test
    void aCloseOfOneThatNeverPushedEndsAtOnce() {
        open(LONG).close();

        assertThat(pushed).isEmpty();
    }

    @Test
    void aSecondCloseDoesNothing() {
        var window = open(LONG);
        window.close();

        window.close();

        assertThat(pushed).isEmpty();
    }

    @Test
    void nothingIsTakenAfterTheClose() {
        var window = open(SHORT);
        window.close();

        window.add("mail", "late");
        window.close();

        assertThat(pushed).isEmpty();
    }

    @Test
    void aCloseWaitsNoLongerThanItsPatienceForAPushThatHangs() throws InterruptedException {
        var window = PushWindow.open(name, LONG, (channel, payloads) -> {
            pushed.add(new Pushed(channel, payloads));
            hang();
        });
        window.add("mail", "hangs");
        pushed.take();
        window.add("mail", "waits");

        window.close(Duration.ofMillis(50));

        assertThat(pushed).isEmpty();
    }

    @Test
    void anInterruptedThreadsCloseStillPushesAndKeepsTheInterrupt() throws InterruptedException {
        var window = open(LONG);
        window.add("mail", "opens it");
        pushed.take();
        window.add("mail", "waits");
        Thread.currentThread().interrupt();

        window.close(PATIENCE);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(pushed).containsExactly(new Pushed("mail", "waits"));
    }

    @Test
    void everythingThatManyThreadsAddIsPushed() throws InterruptedException {
        var window = open(SHORT);
        var threads = List.of("a", "b", "c", "d").stream()
                .map(channel -> new Thread(() -> {
                    for (int payload = 0; payload < 1_000; payload++) {
                        window.add(channel, Integer.toString(payload));
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (var thread : threads) {
            thread.join();
        }

        window.close(PATIENCE);

        for (var channel : List.of("a", "b", "c", "d")) {
            assertThat(pushed.stream()
                            .filter(push -> push.channel().equals(channel))
                            .mapToInt(push -> push.payloads().size())
                            .sum())
                    .isEqualTo(1_000);
        }
    }

    @Test
    void aWindowBeforeItsBeginningIsRefused() {
        assertThatThrownBy(() -> open(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s: the window is PT-0.001S; it is a time, or zero for none", name);
    }

    private PushWindow open(Duration window) {
        return PushWindow.open(name, window, (channel, payloads) -> pushed.add(new Pushed(channel, payloads)));
    }

    private void hang() {
        try {
            letGo.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private void awaitIdle() {
        while (thread().getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    private Thread thread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private record Pushed(String channel, List<String> payloads) {

        Pushed(String channel, String... payloads) {
            this(channel, List.of(payloads));
        }

        Pushed(String channel, Collection<String> payloads) {
            this(channel, List.copyOf(payloads));
        }
    }
}
