package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PaceTest {

    private static final Duration POLL = Duration.ofSeconds(1);

    @Test
    void aSteadyPaceWaitsThePollIntervalLessAtMostAFifthEachTime() {
        var pace = Pace.steady(POLL);

        for (int look = 0; look < 100; look++) {
            assertThat(pace.afterNothing()).isBetween(POLL.multipliedBy(4).dividedBy(5), POLL);
        }
    }

    @Test
    void aSteadyPaceIsNotQuickened() {
        var pace = Pace.steady(POLL);

        pace.quicken();

        assertThat(pace.afterNothing()).isGreaterThanOrEqualTo(Duration.ofMillis(800));
    }

    @Test
    void anAdaptivePaceIsSlowUntilSomethingIsFound() {
        assertThat(Pace.adaptive(POLL).afterNothing()).isGreaterThanOrEqualTo(Duration.ofMillis(800));
    }

    @Test
    void anAdaptivePaceIsQuickAfterSomethingWasFound() {
        var pace = Pace.adaptive(POLL);

        pace.quicken();

        assertThat(pace.afterNothing()).isLessThanOrEqualTo(Pace.QUICK);
    }

    @Test
    void anAdaptivePaceIsSlowAgainAfterSevenLooks() {
        var pace = Pace.adaptive(POLL);
        pace.quicken();
        for (int look = 0; look < 7; look++) {
            assertThat(pace.afterNothing()).isLessThan(Duration.ofMillis(641));
        }

        assertThat(pace.afterNothing()).isGreaterThanOrEqualTo(Duration.ofMillis(800));
    }

    @Test
    void aPollIntervalShorterThanTheQuickestPaceIsKept() {
        var pace = Pace.adaptive(Duration.ofMillis(2));

        pace.quicken();

        assertThat(pace.afterNothing()).isLessThanOrEqualTo(Duration.ofMillis(2));
    }
}
