package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutcomeTest {

    @Test
    void doneIsHandled() {
        assertThat(Outcome.done()).isEqualTo(new Outcome.Done());
    }

    @Test
    void doneKeepsItsValue() {
        assertThat(Outcome.done("42")).isEqualTo(new Outcome.Done(Optional.of("42")));
    }

    @Test
    void aMissingValueIsRefusedWhileTheHandlerRuns() {
        assertThatThrownBy(() -> Outcome.done(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aRetryKeepsItsReason() {
        assertThat(Outcome.retry("no mail")).isEqualTo(new Outcome.Retry("no mail"));
    }

    @Test
    void aRetryForSomethingThrownKeepsItAndItsText() {
        var thrown = new IllegalStateException("no mail");

        assertThat(Outcome.retry(thrown))
                .isEqualTo(new Outcome.Retry("java.lang.IllegalStateException: no mail", Optional.of(thrown)));
    }

    @Test
    void passingOnKeepsItsDelay() {
        assertThat(Outcome.passOn(Duration.ofMinutes(5))).isEqualTo(new Outcome.PassOn(Duration.ofMinutes(5)));
    }

    @Test
    void aRetryInKeepsItsDelay() {
        assertThat(Outcome.retryIn(Duration.ofMinutes(5))).isEqualTo(new Outcome.RetryIn(Duration.ofMinutes(5)));
    }

    @Test
    void aRejectKeepsItsReason() {
        assertThat(Outcome.reject("no address")).isEqualTo(new Outcome.Reject("no address"));
    }

    @Test
    void aDropIsNotADone() {
        assertThat(Outcome.drop()).isEqualTo(new Outcome.Drop()).isNotEqualTo(Outcome.done());
    }

    @Test
    void thereAreSixOutcomes() {
        assertThat(Outcome.class.getPermittedSubclasses())
                .containsExactlyInAnyOrder(
                        Outcome.Done.class,
                        Outcome.Retry.class,
                        Outcome.RetryIn.class,
                        Outcome.Reject.class,
                        Outcome.PassOn.class,
                        Outcome.Drop.class);
    }

    @Test
    void aRejectWithoutReasonIsRefusedWhileTheHandlerRuns() {
        assertThatThrownBy(() -> Outcome.reject(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aRetryWithoutReasonIsRefusedWhileTheHandlerRuns() {
        assertThatThrownBy(() -> Outcome.retry((String) null)).isInstanceOf(NullPointerException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "PT876600H0.000000001S"})
    void aDelayThatCannotBeKeptIsRefusedWhileTheHandlerRuns(Duration delay) {
        assertThatThrownBy(() -> Outcome.retryIn(delay))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(delay.toString());
        assertThatThrownBy(() -> Outcome.passOn(delay))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(delay.toString());
    }
}
