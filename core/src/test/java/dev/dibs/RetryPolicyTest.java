package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
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
}
