package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class OutcomeTest {

    @Test
    void doneIsHandled() {
        assertThat(Outcome.done()).isEqualTo(new Outcome.Done());
    }

    @Test
    void aRetryKeepsItsReason() {
        assertThat(Outcome.retry("no mail")).isEqualTo(new Outcome.Retry("no mail"));
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
    void thereAreFiveOutcomes() {
        assertThat(Outcome.class.getPermittedSubclasses())
                .containsExactlyInAnyOrder(
                        Outcome.Done.class,
                        Outcome.Retry.class,
                        Outcome.RetryIn.class,
                        Outcome.Reject.class,
                        Outcome.Drop.class);
    }
}
