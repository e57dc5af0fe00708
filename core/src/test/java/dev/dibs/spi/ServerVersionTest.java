package dev.dibs.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerVersionTest {

    @ParameterizedTest
    @CsvSource({
        "5.5.5-10.5.12-MariaDB, 10.5.12, 10.5.13",
        "8.0.34-0ubuntu0, 8.0.34, 8.0.35",
        "10.11.6-MariaDB-1:10.11.6+maria~deb12, 10.6, 10.12",
        "18.1 (Debian 18.1-1.pgdg13+2), 18.1, 18.2",
        "19beta1, 18.9, 20",
        "9.7.4-2, 8.0.1, 10",
        "3.51.1, 3.35, 3.100",
        "5.5.5-m3, 5.5.5, 5.5.6"
    })
    void aVersionIsReadFromItsNumbersInFront(String text, String reached, String notReached) {
        var version = new ServerVersion(text);

        assertThat(version.isBefore(reached)).isFalse();
        assertThat(version.isBefore(notReached)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"unknown", "''"})
    void aTextWithoutANumberIsBeforeAnyVersion(String text) {
        assertThat(new ServerVersion(text).isBefore("1")).isTrue();
    }
}
