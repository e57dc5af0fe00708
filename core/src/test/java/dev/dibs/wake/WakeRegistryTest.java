package dev.dibs.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.wake.WakeRegistry.Channel;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jooq.Configuration;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class WakeRegistryTest {

    private static final Channel EMAILS = new Channel("jobs", "emails");
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Configuration configuration = new DefaultConfiguration();
    private final WakeRegistry registry = WakeRegistry.of(configuration);
    private final Signal signal = new Signal();

    @Test
    void aWakeReachesItsChannel() throws InterruptedException {
        registry.subscribe(EMAILS, signal);

        registry.wake(new Channel("jobs", "emails"));

        assertThat(isWoken(signal)).isTrue();
    }

    @Test
    void aWakeReachesNoOtherQueueOfTheTable() throws InterruptedException {
        registry.subscribe(EMAILS, signal);

        registry.wake(new Channel("jobs", "letters"));

        assertThat(isWoken(signal)).isFalse();
    }

    @Test
    void aWakeReachesNoQueueOfThatNameInAnotherTable() throws InterruptedException {
        registry.subscribe(EMAILS, signal);

        registry.wake(new Channel("other_jobs", "emails"));

        assertThat(isWoken(signal)).isFalse();
    }

    @Test
    @Timeout(30)
    void aWakeEndsTheSleepOfOneSubscriber() throws Exception {
        var first = asleep(LONG);
        var second = asleep(LONG);

        registry.wake(EMAILS);

        CompletableFuture.anyOf(first.woken, second.woken).get();
        assertThat(List.of(first, second))
                .filteredOn(sleeper -> sleeper.signal.isAsleep())
                .hasSize(1);
        registry.wake(EMAILS);
        assertThat(first.woken.get()).isTrue();
        assertThat(second.woken.get()).isTrue();
    }

    @Test
    @Timeout(30)
    void aWakeThatFindsASleeperIsNotRememberedByThoseAtWork() throws Exception {
        registry.subscribe(EMAILS, signal);
        var sleeper = asleep(LONG);

        registry.wake(EMAILS);

        assertThat(sleeper.woken.get()).isTrue();
        assertThat(isWoken(signal)).isFalse();
    }

    @Test
    void aWakeIsPassedOnToNobodyAtWork() throws InterruptedException {
        registry.subscribe(EMAILS, signal);

        assertThat(registry.passOn(EMAILS)).isFalse();

        assertThat(isWoken(signal)).isFalse();
    }

    @Test
    @Timeout(30)
    void aMessageThatIsDueLaterThanASleepEndsWakesNobody() throws Exception {
        var sleeper = asleep(Duration.ofSeconds(5));

        registry.wakeBy(EMAILS, System.nanoTime() + LONG.toNanos());

        assertThat(sleeper.signal.isAsleep()).isTrue();
        registry.wake(EMAILS);
        assertThat(sleeper.woken.get()).isTrue();
    }

    @Test
    @Timeout(30)
    void aMessageThatIsDueBeforeASleepEndsEndsTheSleep() throws Exception {
        var sleeper = asleep(LONG);

        registry.wakeBy(EMAILS, System.nanoTime() + Duration.ofSeconds(5).toNanos());

        assertThat(sleeper.woken.get()).isTrue();
    }

    @Test
    void aWakeReachesEverySubscriberAtWork() throws InterruptedException {
        var neighbour = new Signal();
        registry.subscribe(EMAILS, signal);
        registry.subscribe(EMAILS, neighbour);

        registry.wake(EMAILS);

        assertThat(isWoken(signal)).isTrue();
        assertThat(isWoken(neighbour)).isTrue();
    }

    @Test
    void aWakeBeforeTheSubscriptionIsNotKept() throws InterruptedException {
        registry.wake(EMAILS);

        registry.subscribe(EMAILS, signal);

        assertThat(isWoken(signal)).isFalse();
    }

    @Test
    void aSubscriptionThatEndedIsWokenNoMore() throws InterruptedException {
        registry.subscribe(EMAILS, signal).close();

        registry.wake(EMAILS);

        assertThat(isWoken(signal)).isFalse();
    }

    @Test
    void theEndOfOneSubscriptionLeavesTheOthers() throws InterruptedException {
        var neighbour = new Signal();
        registry.subscribe(EMAILS, neighbour);
        registry.subscribe(EMAILS, signal).close();

        registry.wake(EMAILS);

        assertThat(isWoken(neighbour)).isTrue();
    }

    @Test
    void aSubscriptionMayBeClosedTwice() throws InterruptedException {
        var neighbour = new Signal();
        var subscription = registry.subscribe(EMAILS, signal);
        registry.subscribe(EMAILS, neighbour);

        subscription.close();
        subscription.close();
        registry.wake(EMAILS);

        assertThat(isWoken(neighbour)).isTrue();
    }

    @Test
    void aSubscriptionAfterTheLastOneEndedIsWoken() throws InterruptedException {
        registry.subscribe(EMAILS, new Signal()).close();
        registry.subscribe(EMAILS, signal);

        registry.wake(EMAILS);

        assertThat(isWoken(signal)).isTrue();
    }

    @Test
    void nothingIsKeptOfASubscriptionThatEnded() {
        assertThat(isCollected(subscribedAndClosed())).isTrue();
    }

    @Test
    void nothingIsKeptOfAWakeThatNobodyHeard() {
        assertThat(isCollected(woken())).isTrue();
    }

    @Test
    void aConfigurationHasOneRegistry() {
        assertThat(WakeRegistry.of(configuration)).isSameAs(registry);
    }

    @Test
    void otherConfigurationsHaveOtherRegistries() {
        assertThat(WakeRegistry.of(new DefaultConfiguration())).isNotSameAs(registry);
    }

    @Test
    void aDerivedConfigurationSharesTheRegistry() {
        assertThat(WakeRegistry.of(configuration.derive(SQLDialect.SQLITE))).isSameAs(registry);
    }

    @Test
    void aSubscriptionClosedAgainLeavesALaterOneOfTheSameSignal() throws InterruptedException {
        var first = registry.subscribe(EMAILS, signal);
        first.close();
        registry.subscribe(EMAILS, signal);

        first.close();
        registry.wake(EMAILS);

        assertThat(isWoken(signal)).isTrue();
    }

    private WeakReference<Channel> subscribedAndClosed() {
        var channel = new Channel("jobs", "letters");
        registry.subscribe(channel, new Signal()).close();
        return new WeakReference<>(channel);
    }

    private WeakReference<Channel> woken() {
        var channel = new Channel("jobs", "letters");
        registry.wake(channel);
        return new WeakReference<>(channel);
    }

    private static boolean isCollected(WeakReference<?> reference) {
        for (int collection = 0; collection < 10 && !reference.refersTo(null); collection++) {
            System.gc();
        }
        return reference.refersTo(null);
    }

    private Sleeper asleep(Duration timeout) {
        var sleeper = new Sleeper(new Signal(), new CompletableFuture<>());
        registry.subscribe(EMAILS, sleeper.signal);
        new Thread(() -> {
                    try {
                        sleeper.woken.complete(sleeper.signal.await(timeout));
                    } catch (InterruptedException interrupted) {
                        sleeper.woken.completeExceptionally(interrupted);
                    }
                })
                .start();
        while (!sleeper.signal.isAsleep()) {
            Thread.onSpinWait();
        }
        return sleeper;
    }

    private record Sleeper(Signal signal, CompletableFuture<Boolean> woken) {}

    private static boolean isWoken(Signal signal) throws InterruptedException {
        return signal.await(Duration.ZERO);
    }
}
