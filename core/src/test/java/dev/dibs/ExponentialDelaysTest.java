package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.time.Micros;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExponentialDelaysTest {

    private static final List<Integer> FAILURES = List.of(0, 1, 30, 31, 32, 62, 63, 64, 1_000, Integer.MAX_VALUE);

    @ParameterizedTest
    @CsvSource({
        "PT1S, PT1S",
        "PT1S, PT1H",
        "PT1S, PT876600H",
        "PT1H, PT1H",
        "PT1H, PT24H",
        "PT1H, PT876600H",
        "PT0.000000001S, PT876600H",
        "PT876600H, PT876600H"
    })
    void aDelayIsMoreThanZeroAndAtMostTheLongestAfterAnyNumberOfFailures(Duration first, Duration longest) {
        var delays = new ExponentialDelays(first, longest);

        assertThat(FAILURES)
                .allSatisfy(failures -> assertThat(drawn(delays, failures, 100))
                        .allSatisfy(delay -> assertThat(delay).isPositive().isLessThanOrEqualTo(longest)));
    }

    @ParameterizedTest
    @CsvSource({
        "0, PT1S", // before any failure as after the first
        "1, PT1S",
        "2, PT2S",
        "3, PT4S",
        "12, PT2048S",
        "13, PT1H",
        "31, PT1H",
        "32, PT1H",
        "33, PT1H",
        "63, PT1H",
        "64, PT1H",
        "65, PT1H",
        "2147483647, PT1H"
    })
    void theCeilingDoublesWithEachFailureUpToTheLongest(int failures, Duration ceiling) {
        var delays = new ExponentialDelays(Duration.ofSeconds(1), Duration.ofHours(1));

        assertThat(delays.ceilingAfter(failures)).isEqualTo(ceiling);
    }

    @Test
    void theCeilingNeverFallsHoweverManyFailuresThereAre() {
        var delays = new ExponentialDelays(Duration.ofNanos(1), Micros.LONGEST);

        assertThat(IntStream.rangeClosed(0, 200).mapToObj(delays::ceilingAfter))
                .isSortedAccordingTo(Comparator.naturalOrder())
                .endsWith(Micros.LONGEST);
    }

    @Test
    void delaysAreSpreadOverTheWholeCeiling() {
        var delays = new ExponentialDelays(Duration.ofHours(1), Duration.ofHours(1));

        var seconds = drawn(delays, 1, 1_000).stream().map(Duration::toSeconds).toList();

        assertThat(seconds)
                .anyMatch(delay -> delay < 360)
                .anyMatch(delay -> delay > 3_240)
                .satisfies(all -> assertThat(mean(all)).isBetween(1_440.0, 2_160.0));
    }

    @ParameterizedTest
    @CsvSource({"PT0S, PT1H", "PT-1S, PT1H", "PT2S, PT1S", "PT1S, PT876600H0.000000001S"})
    void delaysThatCannotBeKeptAreRefused(Duration first, Duration longest) {
        assertThatThrownBy(() -> RetryPolicy.exponential(first, longest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "retry delays from %s to %s: the first is more than zero, the longest no shorter and at most"
                                + " PT876600H",
                        first, longest);
    }

    private static List<Duration> drawn(ExponentialDelays delays, int failures, int times) {
        return Stream.generate(() -> delays.apply(failures)).limit(times).toList();
    }

    private static double mean(List<? extends Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).average().orElseThrow();
    }
}
