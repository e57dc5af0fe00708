package dev.dibs.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MicrosTest {

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 0",
        "1970-01-01T00:00:00.000001Z, 1",
        "1970-01-01T00:00:01Z, 1000000",
        "2026-03-01T12:00:00.123456Z, 1772366400123456",
        "1969-12-31T23:59:59.999999Z, -1",
        "1969-12-31T23:59:59Z, -1000000",
        "1900-01-01T00:00:00Z, -2208988800000000",
        "2262-04-12T00:00:00Z, 9223372800000000",
        "2300-01-01T00:00:00Z, 10413792000000000",
        "9999-12-31T23:59:59.999999Z, 253402300799999999",
        "-290307-01-01T00:00:00Z, -9223371158400000000"
    })
    void anInstantIsItsMicrosecondsSince1970AndBack(Instant instant, long micros) {
        assertThat(Micros.of(instant)).isEqualTo(micros);
        assertThat(Micros.at(micros)).isEqualTo(instant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-03-01T12:00:00.123456999Z",
                "1970-01-01T00:00:00.000000999Z",
                "1969-12-31T23:59:59.999999999Z",
                "1969-12-31T23:59:58.000000001Z"
            })
    void partsFinerThanAMicrosecondAreCutBefore1970AsAfterIt(Instant instant) {
        assertThat(Micros.at(Micros.of(instant))).isEqualTo(instant.truncatedTo(ChronoUnit.MICROS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+294247-01-10T04:00:54.775808Z",
                "-290308-12-21T19:59:05.224191999Z",
                "+1000000000-12-31T23:59:59.999999999Z",
                "-1000000000-01-01T00:00:00Z"
            })
    void anInstantBeyond64BitsIsRefused(Instant instant) {
        assertThatThrownBy(() -> Micros.of(instant))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the time %s cannot be stored; the last that can is +294247-01-10T04:00:54.775807Z", instant);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0",
        "PT0.000000001S, 1",
        "PT0.000000999S, 1",
        "PT0.000001S, 1",
        "PT0.000001001S, 2",
        "PT1S, 1000000",
        "PT1.000000001S, 1000001",
        "PT876600H, 3155760000000000"
    })
    void aDurationIsItsMicrosecondsRoundedUp(Duration duration, long micros) {
        assertThat(Micros.of(duration)).isEqualTo(micros);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PT-0.000000001S",
                "PT-1S",
                "PT-2562047788015215H",
                "PT876600H0.000000001S",
                "PT2562047788015215H30M7.999999999S"
            })
    void aDurationThatIsNegativeOrTooLongIsRefused(Duration duration) {
        assertThatThrownBy(() -> Micros.of(duration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a delay of %s cannot be stored; it lies between zero and 36525 days", duration);
    }

    @Test
    void theLastInstantCanBeStored() {
        assertThat(Micros.of(Micros.MAX)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theLongestDurationFitsBehindAnyTimeOfTheNextHundredThousandYears() {
        var late = Micros.of(Instant.parse("+100000-01-01T00:00:00Z"));

        assertThat(late + Micros.of(Micros.LONGEST)).isGreaterThan(late);
    }
}
