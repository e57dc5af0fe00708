package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RetryPolicyTest {

    @Test
    void theDefaultsAreTwentyFiveDeliveriesWithDelaysFromOneSecondToOneHour() {
        assertThat(RetryPolicy.ofDefaults())
                .isEqualTo(new RetryPolicy(25, new ExponentialDelays(Duration.ofSeconds(1), Duration.ofHours(1))));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void fewerDeliveriesThanOneAreRefused(int deliveries) {
        var policy = RetryPolicy.ofDefaults();

        assertThatThrownBy(() -> policy.attempts(deliveries))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a message gets %d deliveries; it is at least 1", deliveries);
    }

    @Test
    void aPolicyIsSpentWithItsLastDelivery() {
        var policy = RetryPolicy.ofDefaults().attempts(3);

        assertThat(policy.isSpent(2)).isFalse();
        assertThat(policy.isSpent(3)).isTrue();
        assertThat(policy.isSpent(4)).isTrue();
    }

    @Test
    void aSingleDeliveryIsNeverRepeated() {
        assertThat(RetryPolicy.ofDefaults().attempts(1).isSpent(1)).isTrue();
    }

    @Test
    void aPolicyWithoutLimitIsNotSpentAfterTwoThousandMillionDeliveries() {
        assertThat(RetryPolicy.ofDefaults().withoutLimit().isSpent(2_000_000_000))
                .isFalse();
    }

    @Test
    void anotherNumberOfDeliveriesKeepsTheDelays() {
        var policy = RetryPolicy.fixed(Duration.ofMinutes(5));

        assertThat(policy.attempts(3).delays()).isSameAs(policy.delays());
    }

    @Test
    void changingThePolicyMakesAnotherOne() {
        var policy = RetryPolicy.ofDefaults();

        var changed = policy.attempts(3);

        assertThat(policy.attempts()).isEqualTo(RetryPolicy.DEFAULT_ATTEMPTS);
        assertThat(changed.attempts()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 30, 31, 32, 62, 63, 64, 1_000, Integer.MAX_VALUE})
    void aFixedDelayIsTheSameAfterEachFailure(int failures) {
        assertThat(RetryPolicy.fixed(Duration.ofMinutes(5)).delayAfter(failures))
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void delaysOfYourOwnAreAskedWithTheNumberOfFailures() {
        var policy = new RetryPolicy(3, failures -> Duration.ofDays(failures));

        assertThat(policy.delayAfter(2)).isEqualTo(Duration.ofDays(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "PT876600H0.000000001S"})
    void aFixedDelayThatCannotBeKeptIsRefused(Duration delay) {
        assertThatThrownBy(() -> RetryPolicy.fixed(delay))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(delay.toString());
    }

    @Test
    void aPolicyWithoutLimitIsNeverSpent() {
        assertThat(RetryPolicy.ofDefaults().withoutLimit().isSpent(Integer.MAX_VALUE))
                .isFalse();
    }

    @Test
    void linearDelaysGrowByTheirStepUpToTheLongest() {
        var delays = new LinearDelays(Duration.ofSeconds(10), Duration.ofSeconds(35));

        assertThat(IntStream.of(0, 1, 2, 3, 4, Integer.MAX_VALUE).mapToObj(delays::ceilingAfter))
                .map(Duration::toSeconds)
                .containsExactly(10L, 10L, 20L, 30L, 35L, 35L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 1_000_000, Integer.MAX_VALUE})
    void aLinearDelayIsMoreThanZeroAndAtMostTheLongest(int failures) {
        assertThat(RetryPolicy.linear(Duration.ofNanos(1), Micros.LONGEST).delayAfter(failures))
                .isPositive()
                .isLessThanOrEqualTo(Duration.ofNanos(Integer.MAX_VALUE));
    }

    @Test
    void noneIsSpentWithTheFirstDelivery() {
        assertThat(RetryPolicy.none().isSpent(1)).isTrue();
    }

    @Test
    void aFailureOfATypeAndThoseDerivedFromItHaveAPolicyOfTheirOwn() {
        var input = RetryPolicy.none();
        var policy = RetryPolicy.ofDefaults().on(IllegalArgumentException.class, input);

        assertThat(policy.of(Optional.of(new NumberFormatException("x")))).isEqualTo(input);
        assertThat(policy.of(Optional.of(new IllegalStateException("x")))).isEqualTo(policy);
        assertThat(policy.of(Optional.empty())).isEqualTo(policy);
    }

    @Test
    void ofSeveralPoliciesThatFitTheFirstGivenCounts() {
        var first = RetryPolicy.fixed(Duration.ofSeconds(1));
        var policy = RetryPolicy.ofDefaults()
                .on(NumberFormatException.class, first)
                .on(IllegalArgumentException.class, RetryPolicy.none());

        assertThat(policy.of(Optional.of(new NumberFormatException("x")))).isEqualTo(first);
    }

    @Test
    void theLowestLimitIsThatOfAnyFailure() {
        var policy = RetryPolicy.ofDefaults().withoutLimit();

        assertThat(policy.lowestLimit()).isEqualTo(RetryPolicy.NO_LIMIT);
        assertThat(policy.on(Error.class, RetryPolicy.none()).lowestLimit()).isOne();
    }
}
